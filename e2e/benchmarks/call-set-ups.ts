// Measures how soon an event of the switch is in a call's stored state while many calls are set up, and the cost of a set-up:
// call-control alone, beside bare guarded writes to the same MongoDB, and the whole stack with all services on one machine.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@parley/testkit';
import type { MongoClient } from 'mongodb';
import { openPhoneCompany } from '../calls/phone-company.ts';
import { withStack } from './bench-stack.ts';
import { withCallControlAlone } from './call-control-alone.ts';
import { describeEvents, receiveHistograms, type ReportedHistograms } from './reported-histograms.ts';
import { countCpuTime, cpuTimeMs, describeCpuTime } from './measuring.ts';

const RATES = (process.env['PARLEY_BENCH_SET_UPS'] ?? '5,50').split(',').map(Number);
const STEADY_SECS = 10;
const WARM_UP = { perSecond: 25, secs: 10 };
const BARE_WRITES = 1000;
/** Followers go on for a moment after the last call has ended. */
const REST_MS = 2000;

/** A customer who calls and is hung up after a message; resolves with a way to wait for the end of the call. */
type SetUp = (n: number) => Promise<() => Promise<unknown>>;

export async function benchmarkCallControlAlone(): Promise<void> {
  console.log('call-control alone: a scripted switch and peers that answer at once');
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-bench-'));
  const events = await receiveHistograms();
  try {
    await withCallControlAlone(folder, events.environment, async ({ network, pids, client }) => {
      const setUp: SetUp = async (n) => {
        const ended = network.call(callerOf(n), '+4570112233');
        return () => ended;
      };
      await runSetUps(setUp, WARM_UP.perSecond, WARM_UP.secs);
      const bareMs = await bareWriteMs(client, [process.pid, pids['its MongoDB'] ?? 0]);
      for (const perSecond of RATES) {
        const before = await operations(client);
        const { calls, cpuMs } = await measure(setUp, perSecond, events, pids);
        const after = await operations(client);
        const perCall = (kind: 'documents' | 'commands') => ((after[kind] - before[kind]) / calls).toFixed(1);
        const own = (cpuMs['call-control'] ?? 0) + (cpuMs['its MongoDB'] ?? 0);
        console.log(
          `  a call writes ${perCall('documents')} documents with ${perCall('commands')} commands, polls included; ` +
            `the service and its MongoDB cost as much as ${(own / bareMs).toFixed(1)} bare guarded writes of ${bareMs.toFixed(2)} ms CPU`,
        );
      }
    });
  } finally {
    events.close();
    await rm(folder, { recursive: true, force: true });
  }
}

export async function benchmarkCallSetUps(): Promise<void> {
  console.log(
    "the whole stack: the sandbox's switch and every service, each with a MongoDB of its own; a webhook gets all events of the calls",
  );
  const events = await receiveHistograms();
  try {
    // Only this one reports: each report counts what is pending in every collection of a service.
    const settings = { 'call-control': events.environment };
    await withStack({ processes: 'separate', settings }, async ({ local, processes }) => {
      const { dial, leg, limits, number } = await openPhoneCompany(local);
      await limits({ simultaneous_calls: 10_000, calls_per_minute: 10_000 });
      const called = await number({ type: 'RejectConfig', message: 'We are closed today.' });
      const setUp: SetUp = async (n) => {
        const legId = await dial(called, callerOf(n));
        const hasEnded = async () => (await leg(legId)).state === 'ended';
        return () => waitUntil(hasEnded, { what: 'the end of a call', timeoutMs: 60_000 });
      };
      const pids = { ...processes(), 'the benchmark': process.pid };
      await runSetUps(setUp, WARM_UP.perSecond, WARM_UP.secs);
      for (const perSecond of RATES) await measure(setUp, perSecond, events, pids);
    });
  } finally {
    events.close();
  }
}

const callerOf = (n: number) => `+4520${String(n).padStart(6, '0')}`;

/** Offers calls at an even rate, whatever becomes of them; resolves when all have ended. */
async function runSetUps(setUp: SetUp, perSecond: number, secs: number) {
  const calls = perSecond * secs;
  const startedAt = performance.now();
  const running: ReturnType<SetUp>[] = [];
  for (let n = 0; n < calls; n += 1) {
    running.push(setUp(n));
    const aheadMs = ((n + 1) / perSecond) * 1000 - (performance.now() - startedAt);
    if (aheadMs > 1) await sleep(aheadMs);
  }
  const offeredMs = performance.now() - startedAt;
  // One after the other: asking about all of them at once would be the larger load.
  for (const whenEnded of await Promise.all(running)) await whenEnded();
  return { calls, offeredMs, endedMs: performance.now() - startedAt };
}

async function measure(
  setUp: SetUp,
  perSecond: number,
  events: ReportedHistograms,
  pids: Readonly<Record<string, number>>,
): Promise<{ calls: number; cpuMs: Readonly<Record<string, number>> }> {
  const eventToState = () => events.read('call-control', 'parley_switch_event_duration_seconds');
  const before = await eventToState();
  const cpuTime = countCpuTime(pids);
  const { calls, offeredMs, endedMs } = await runSetUps(setUp, perSecond, STEADY_SECS);
  await sleep(REST_MS);
  const cpuMs = cpuTime(calls);
  const all = Object.values(cpuMs).reduce((sum, ms) => sum + ms, 0);
  console.log(
    `${perSecond} set-ups/s: offered ${((calls / offeredMs) * 1000).toFixed(1)}/s, ` +
      `ended ${((calls / endedMs) * 1000).toFixed(1)}/s; in the stored state: ${describeEvents(before, await eventToState())} (50 ms wanted)`,
  );
  console.log(
    `  CPU ms a call: ${describeCpuTime(cpuMs, 1)}; all ${all.toFixed(1)} of ${(2000 / perSecond).toFixed(0)} on two cores`,
  );
  return { calls, cpuMs };
}

/** CPU time of one update that is guarded by a version and waits for the journal, in the client and the server. */
async function bareWriteMs(client: MongoClient, pids: readonly number[]): Promise<number> {
  const bare = client.db('bare').collection<{ _id: string; version: number }>('bare');
  await bare.insertOne({ _id: 'one', version: 0 });
  const before = cpuTimeMs(pids);
  for (let version = 0; version < BARE_WRITES; version += 1)
    await bare.updateOne({ _id: 'one', version }, { $set: { version: version + 1 } });
  return (cpuTimeMs(pids) - before) / BARE_WRITES;
}

/** The server's counters since its start. */
async function operations(client: MongoClient): Promise<{ documents: number; commands: number }> {
  const { opcounters, metrics } = await client.db('admin').command({ serverStatus: 1 });
  const commands = ['insert', 'update', 'delete', 'find', 'findAndModify', 'aggregate', 'getMore'];
  return {
    documents: Number(opcounters.insert) + Number(opcounters.update) + Number(opcounters.delete),
    commands: commands.reduce((sum, name) => sum + Number(metrics?.commands?.[name]?.total ?? 0), 0),
  };
}
