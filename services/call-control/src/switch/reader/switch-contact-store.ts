import type { Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import { openDocuments } from '@parley/aggregates';
import type { Db } from 'mongodb';

/** When a switch was last reached, by any process. By the machine's clock: it is about machines. */
export interface SwitchContact {
  /** Its name. */
  readonly id: string;
  /** Switches belong to no company. */
  readonly companyId: '';
  readonly reachedAt: Date;
}

/** When each switch was last reached. */
export interface SwitchContacts {
  /** Before calls of a new connection are taken: a call that is read has its contact there already. */
  reached(switchName: string): Promise<void>;
  /** Undefined for a switch that was never reached. */
  get(switchName: string): Promise<SwitchContact | undefined>;
  reachedBefore(time: Date): AsyncIterable<SwitchContact>;
  /** When the switch was reached that has not been for the longest time; undefined when none ever was. */
  oldest(): Promise<Date | undefined>;
}

export async function openSwitchContacts(options: { db: Db; machineClock: Clock }): Promise<SwitchContacts> {
  const { db, machineClock } = options;
  const contacts = (
    await openDocuments<SwitchContact>({
      db,
      collection: 'switch_contacts',
      indexes: [{ name: 'reached', key: { companyId: 1, reachedAt: 1 } }],
    })
  ).of('');
  return {
    async reached(id) {
      const reachedAt = machineClock.now();
      if (await contacts.assign(id, { reachedAt })) return;
      await contacts.upsert(id, () => decided<SwitchContact>({ id, companyId: '', reachedAt }));
    },
    get: (id) => contacts.get(id),
    reachedBefore: (time) => contacts.find({ reachedAt: { $lt: time } }, { reachedAt: 1 }),
    async oldest() {
      for await (const { reachedAt } of contacts.find({}, { reachedAt: 1 }, 1)) return reachedAt;
      return undefined;
    },
  };
}
