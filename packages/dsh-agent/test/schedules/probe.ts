/**
 * Runs schedules without a test runner: `node --conditions=@deepseek-ai/source probe.ts FROM COUNT [first]`.
 * `first`: stops at the first one that breaks a promise, and says its seed. One schedule alone is told in full.
 */
import { probe } from '@dsh-internal/schedule-testing';
import { schedules } from './run.ts';

process.exitCode = await probe(schedules, process.argv.slice(2), console.log);
