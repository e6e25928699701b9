// The stress scenarios: `npm run stress -- sends`, or `npm run stress -- sends 200 10` for 200 rounds and at most ten minutes.
// Each starts its own stack.
import { stressAssistantKillNine } from './assistant-kill-nine.ts';
import { stressCallsKillNine } from './calls-kill-nine.ts';
import { stressFloods } from './floods.ts';
import { stressFrozenReplicas } from './frozen-replicas.ts';
import { stressLiveSockets } from './live-sockets.ts';
import { stressMixedInbox } from './mixed-inbox.ts';
import { stressPagingReaders } from './paging-readers.ts';
import { stressSends } from './sends.ts';
import type { Amount } from './stress-stack.ts';

const scenarios: Record<string, { run: (amount: Amount) => Promise<void>; usual: Amount }> = {
  'assistant-kill-nine': { run: stressAssistantKillNine, usual: { count: 36, minutes: 30 } },
  'calls-kill-nine': { run: stressCallsKillNine(1), usual: { count: 100, minutes: 20 } },
  'calls-kill-nine-replicas': { run: stressCallsKillNine(2), usual: { count: 100, minutes: 20 } },
  'frozen-replicas': { run: stressFrozenReplicas, usual: { count: 200, minutes: 10 } },
  sends: { run: stressSends, usual: { count: 5000, minutes: 40 } },
  'mixed-inbox': { run: stressMixedInbox, usual: { count: 50_000, minutes: 60 } },
  floods: { run: stressFloods, usual: { count: 100, minutes: 10 } },
  'live-sockets': { run: stressLiveSockets, usual: { count: 10_000, minutes: 5 } },
  'paging-readers': { run: stressPagingReaders, usual: { count: 6000, minutes: 10 } },
};

const [name = '', count, minutes] = process.argv.slice(2);
const scenario = scenarios[name];
if (!scenario) {
  console.error(`npm run stress -- <${Object.keys(scenarios).join(' | ')}> [count] [minutes]`);
  process.exit(1);
}
console.log(`— ${name}`);
const { usual } = scenario;
const started = performance.now();
await scenario.run({ count: Number(count ?? usual.count), minutes: Number(minutes ?? usual.minutes) });
console.log(`  in ${((performance.now() - started) / 60_000).toFixed(1)} minutes`);
