/** One measurement, or what it needs beforehand, in a process of its own. */
import type { Params } from './figure.ts';
import { scenarios } from './scenarios.ts';

const [what, name, params, folder] = process.argv.slice(2);
const scenario = scenarios.find((one) => one.name === name);
if (scenario === undefined || params === undefined || folder === undefined)
  throw new RangeError('scenario, parameters and folder are needed');
const given = JSON.parse(params) as Params;
if (what === 'prepare') await scenario.prepare?.(given, folder);
else process.stdout.write(JSON.stringify(await scenario.run(given, folder)));
