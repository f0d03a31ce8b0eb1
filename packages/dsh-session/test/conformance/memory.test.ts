import { driverConformance } from '@deepseek-ai/dsh-session/conformance';
import { describe, it } from 'vitest';
import { openMemory } from './memory-media.ts';

driverConformance({ describe, it, open: openMemory });
