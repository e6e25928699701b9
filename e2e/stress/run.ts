// `npm run stress -- rolling-restart`: what takes too long for every run of the tests. Ends with 1 when something failed.
import { rollingRestart } from './rolling-restart.ts';

const runs: Record<string, () => Promise<void>> = { 'rolling-restart': rollingRestart };

const chosen = process.argv.slice(2);
for (const name of chosen.length > 0 ? chosen : Object.keys(runs)) {
  const run = runs[name];
  if (!run) throw new Error(`there is no '${name}'; there are ${Object.keys(runs).join(', ')}`);
  console.log(`— ${name}`);
  await run();
}
