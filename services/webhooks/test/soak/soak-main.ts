// The soak in full, with its own servers: prints its measurements, and fails when an event was lost or reordered.
import { delaysBeside } from './other-companies.ts';
import { soak } from './soak.ts';

const report = await soak({
  receivers: 50,
  eventsPerReceiver: 200,
  eventsPerContact: 5,
  eventsPerSecond: 100,
  failShare: 0.2,
  kills: 30,
});
say(
  `${report.events} events to 50 receivers, ${report.kills} kills: ${report.requests} requests, ` +
    `${report.undelivered} undelivered, ${report.inversions} inversions, ${report.attemptsMax} attempts at the most`,
);

const alone = await delaysBeside(0);
const beside = await delaysBeside(0.2);
say(
  `healthy contacts: p50 ${alone.p50Ms} ms, p95 ${alone.p95Ms} ms; beside a fifth that fails p50 ${beside.p50Ms} ms, ` +
    `p95 ${beside.p95Ms} ms: ${(beside.p50Ms / alone.p50Ms).toFixed(2)} times (at most 2 wanted)`,
);
if (report.undelivered > 0 || report.inversions > 0 || report.attemptsMax > 6) process.exit(1);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
