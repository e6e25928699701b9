import type { Clock } from '@parley/clock';
import { encodeMessage } from '@parley/events';
import { type Aggregates, openAggregates, type Relay, slotTaken } from '@parley/aggregates';
import type { Person } from '@parley/personal-data';
import type { Db } from 'mongodb';
import type { EraseCommand, Erasure, ErasureEvent } from './erasure.ts';

export type Erasures = Aggregates<Erasure, ErasureEvent, EraseCommand>;

export function openErasures(db: Db, relay: Relay, clock: Clock): Promise<Erasures> {
  return openAggregates<Erasure, ErasureEvent, EraseCommand>({
    db,
    collection: 'erasures',
    relay,
    clock,
    encode: ({ type, erasureId }) => encodeMessage(type, { erasureId }),
    // Those that are done have no slot.
    indexes: [
      {
        name: 'company_slot',
        key: { companyId: 1, slot: 1 },
        unique: true,
        partialFilterExpression: { slot: { $exists: true } },
      },
    ],
    collisions: { company_slot: slotTaken },
  });
}

/** The people of a company whose erasures are running. */
export async function runningErasures(erasures: Erasures, companyId: string): Promise<Person[]> {
  const running = await Array.fromAsync(erasures.of(companyId).find({ slot: { $exists: true } }, { slot: 1 }));
  return running.flatMap(({ phoneNumber, requestedAt: before }) => {
    return phoneNumber === null ? [] : [{ companyId, phoneNumber, before }];
  });
}
