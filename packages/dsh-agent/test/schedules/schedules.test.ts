import { lightCases } from './seed-cases.ts';

lightCases();
