import { describe, it, vi } from 'vitest';
import { driverConformance } from '@deepseek-ai/dsh-session/conformance';
import { openMedium } from './support/medium.ts';

vi.setConfig({ testTimeout: 60_000 });

driverConformance({ describe, it, open: openMedium });
