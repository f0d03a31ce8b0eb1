import { heavyCases } from './seed-cases.ts';

heavyCases('faulty');
