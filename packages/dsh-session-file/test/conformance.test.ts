import { describe, it } from 'vitest';
import { driverConformance } from '@deepseek-ai/dsh-session/conformance';
import { openMedium } from './support/medium.ts';

driverConformance({ describe, it, open: openMedium });
