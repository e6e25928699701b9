import type { Clock } from '@parley/clock';
import { Refused, refusal } from '@parley/errors';
import { encodeMessage } from '@parley/events';
import { type Aggregates, openAggregates, type Relay } from '@parley/aggregates';
import { ThreadState } from '@parley/proto/messaging_inbox/v1/inbox_pb';
import type { Db } from 'mongodb';
import type { CopyCommand, HandlingDecision, HandlingEvent, ThreadHandling } from './thread-handling.ts';

export interface ThreadHandlings extends Aggregates<ThreadHandling, HandlingEvent, CopyCommand> {
  byPhone(companyId: string, phone: string): Promise<ThreadHandling | undefined>;
  /** Changes that of a number, or creates the first. */
  changeByPhone(
    companyId: string,
    phone: string,
    decide: (current: ThreadHandling | undefined) => HandlingDecision,
  ): Promise<ThreadHandling>;
}

export const stateToProto = {
  open: ThreadState.OPEN,
  done: ThreadState.DONE,
} as const satisfies Record<ThreadHandling['state'], ThreadState>;

/** Another request has created it in the same moment; never sent as a response. */
const createdMeanwhile = refusal('conflict', 'the thread was changed at the same time');

export async function openThreadHandlings(options: { db: Db; relay: Relay; clock: Clock }): Promise<ThreadHandlings> {
  const handlings = await openAggregates<ThreadHandling, HandlingEvent, CopyCommand>({
    ...options,
    collection: 'thread_handlings',
    indexes: [{ name: 'company_phone', key: { companyId: 1, phone: 1 }, unique: true }],
    collisions: { company_phone: createdMeanwhile },
    encode: ({ type, handling: { companyId, phone, assignee, state } }) =>
      encodeMessage(type, {
        thread: { companyId, phoneNumber: phone, state: stateToProto[state], ...(assignee && { assignee }) },
      }),
  });
  const byPhone = (companyId: string, phone: string) => handlings.of(companyId).findOne({ phone });
  return {
    ...handlings,
    byPhone,
    async changeByPhone(companyId, phone, decide) {
      const own = handlings.of(companyId);
      const known = await byPhone(companyId, phone);
      if (known) return own.change(known.id, decide, known);
      try {
        return await own.create(decide(undefined));
      } catch (error) {
        const winner =
          error instanceof Refused && error.refusal === createdMeanwhile ? await byPhone(companyId, phone) : undefined;
        if (!winner) throw error;
        return own.change(winner.id, decide, winner);
      }
    },
  };
}
