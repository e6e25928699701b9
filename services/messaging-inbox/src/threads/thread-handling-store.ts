import type { Clock } from '@parley/clock';
import { encodeMessage } from '@parley/events';
import { type Aggregates, openAggregates, type Relay } from '@parley/outbox';
import { ThreadState } from '@parley/proto/messaging_inbox/v1/inbox_pb';
import type { Db } from 'mongodb';
import type { CopyCommand, HandlingEvent, ThreadHandling } from './thread-handling.ts';

export type ThreadHandlings = Aggregates<ThreadHandling, HandlingEvent, CopyCommand>;

export const stateToProto = {
  open: ThreadState.OPEN,
  done: ThreadState.DONE,
} as const satisfies Record<ThreadHandling['state'], ThreadState>;

export function openThreadHandlings(options: { db: Db; relay: Relay; clock: Clock }): Promise<ThreadHandlings> {
  return openAggregates<ThreadHandling, HandlingEvent, CopyCommand>({
    ...options,
    collection: 'thread_handlings',
    indexes: [{ name: 'company', key: { companyId: 1, _id: 1 } }],
    encode: ({ type, handling: { companyId, phone, assignee, state } }) =>
      encodeMessage(type, {
        thread: { companyId, phoneNumber: phone, state: stateToProto[state], ...(assignee && { assignee }) },
      }),
  });
}
