import type { Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import type { Logger } from '@parley/telemetry';
import { openDocuments } from '@parley/store';
import type { Db } from 'mongodb';
import type { Switch } from '../switch/switch-client.ts';
import type { CallRunner } from './call-runner.ts';
import type { Calls } from '../calls/store/call-store.ts';

/** When a switch was last reached, by any process. By the machine's clock: it is about machines. */
interface SwitchContact {
  /** Its name. */
  readonly id: string;
  /** Switches belong to no company. */
  readonly companyId: '';
  readonly reachedAt: Date;
}

/** Ends the calls of switches that stay unreachable. */
export interface LostSwitches {
  sweep(): Promise<void>;
}

/** Without a listener the switch process has ended; one that restarts a module listens again sooner. */
const REFUSED_MS = 4000;

/**
 * A switch that is reachable again is reconciled. One that has been unreachable for `lostMs` is considered lost:
 * its calls end, and legs that are found on it later belong to no call and are hung up. A process that has just started
 * cannot know whether the switch or the process was away, so it waits as long first. Where the machine responds
 * and nothing listens, the switch has ended with its calls, which is detected much sooner.
 */
export async function openLostSwitches(deps: {
  db: Db;
  calls: Pick<Calls, 'openOn'>;
  runner: Pick<CallRunner, 'apply'>;
  switches: readonly Pick<Switch, 'name' | 'isReachable' | 'refusedSince'>[];
  lostMs: number;
  machineClock: Clock;
  log: Logger;
}): Promise<LostSwitches> {
  const { db, calls, runner, switches, lostMs, machineClock, log } = deps;
  const contacts = (
    await openDocuments<SwitchContact>({
      db,
      collection: 'switch_contacts',
      indexes: [{ name: 'reached', key: { companyId: 1, reachedAt: 1 } }],
    })
  ).of('');
  const startedAt = machineClock.now();
  const noted = new Map<string, number>();

  async function note(now: Date): Promise<void> {
    for (const { name } of switches.filter(({ isReachable }) => isReachable)) {
      if (now.getTime() - (noted.get(name) ?? 0) < REFUSED_MS / 2) continue;
      await contacts.upsert(name, () => decided<SwitchContact>({ id: name, companyId: '', reachedAt: now }));
      noted.set(name, now.getTime());
    }
  }

  async function endCalls(name: string): Promise<void> {
    let count = 0;
    for await (const { companyId, id } of calls.openOn(name)) {
      // Reachable again in the meantime: this call may have arrived since, and the others are reconciled.
      if (switches.some((one) => one.name === name && one.isReachable)) break;
      await runner.apply({ companyId, id }, { type: 'switch_lost' });
      count += 1;
    }
    if (count > 0) log.error({ switch: name, calls: count }, 'calls ended: their switch stays unreachable');
  }

  return {
    async sweep() {
      const now = machineClock.now();
      await note(now);
      const refusedBefore = new Date(now.getTime() - REFUSED_MS);
      for (const { name, refusedSince } of switches) {
        if (!refusedSince || refusedSince > refusedBefore) continue;
        // Another process may have a connection that was made before.
        const contact = await contacts.get(name);
        if (contact && contact.reachedAt < refusedBefore) await endCalls(name);
      }
      const before = new Date(now.getTime() - lostMs);
      if (startedAt > before) return;
      for await (const { id: name } of contacts.find({ reachedAt: { $lt: before } }, { reachedAt: 1 }))
        await endCalls(name);
    },
  };
}
