import type { Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import type { Logger } from '@parley/telemetry';
import { openDocuments } from '@parley/store';
import type { Db } from 'mongodb';
import type { CallRunner } from './call-runner.ts';
import type { Calls } from './call-store.ts';

/** When a switch was last reached, by any process. By the machine's clock: it is about machines. */
interface SwitchContact {
  /** Its name. */
  readonly id: string;
  /** Switches belong to no company. */
  readonly companyId: '';
  readonly reachedAt: Date;
}

/** Ends the calls of switches that do not come back. */
export interface LostSwitches {
  sweep(): Promise<void>;
}

/**
 * A switch that comes back tells what became of its calls. One that nobody has reached for `lostMs` is taken for gone:
 * its calls end, and legs that are found on it later belong to no call and are hung up. A process that has just started
 * cannot know whether the switch was away or we were, so it looks for as long itself first.
 */
export async function openLostSwitches(deps: {
  db: Db;
  calls: Pick<Calls, 'openOn'>;
  runner: CallRunner;
  reachable: () => readonly string[];
  lostMs: number;
  machineClock: Clock;
  log: Logger;
}): Promise<LostSwitches> {
  const { db, calls, runner, reachable, lostMs, machineClock, log } = deps;
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
    for (const name of reachable()) {
      if (now.getTime() - (noted.get(name) ?? 0) < lostMs / 6) continue;
      await contacts.upsert(name, () => decided<SwitchContact>({ id: name, companyId: '', reachedAt: now }));
      noted.set(name, now.getTime());
    }
  }

  return {
    async sweep() {
      const now = machineClock.now();
      await note(now);
      const before = new Date(now.getTime() - lostMs);
      if (startedAt > before) return;
      for await (const { id: name } of contacts.find({ reachedAt: { $lt: before } }, { reachedAt: 1 })) {
        let count = 0;
        for await (const { companyId, id } of calls.openOn(name)) {
          await runner.tell({ companyId, id }, { type: 'switch_lost' });
          count += 1;
        }
        if (count > 0) log.error({ switch: name, calls: count }, 'calls ended: their switch does not come back');
      }
    },
  };
}
