import type { Clock } from '@parley/clock';
import { type Aggregates, openAggregates, type Relay, slotTaken } from '@parley/aggregates';
import { encodeMessage } from '@parley/events';
import type { Db } from 'mongodb';
import { sessionToProto } from './session-proto.ts';
import type { FinishSession, Session, SessionEvent } from './session.ts';

/** All sessions. */
export type Sessions = Aggregates<Session, SessionEvent, FinishSession>;

export function openSessions(db: Db, relay: Relay, clock: Clock): Promise<Sessions> {
  return openAggregates<Session, SessionEvent, FinishSession>({
    db,
    collection: 'sessions',
    relay,
    clock,
    // What was said is in no event.
    encode: ({ type, session }) => encodeMessage(type, { session: sessionToProto(session, clock.now()) }),
    indexes: [
      { name: 'call', key: { companyId: 1, callId: 1 }, unique: true },
      // Only open sessions have a place.
      {
        name: 'open_place',
        key: { companyId: 1, slot: 1 },
        unique: true,
        partialFilterExpression: { slot: { $exists: true } },
      },
      { name: 'caller', key: { companyId: 1, from: 1, startedAt: -1 } },
      { name: 'started', key: { companyId: 1, startedAt: 1 } },
      {
        name: 'with_content',
        key: { companyId: 1, startedAt: 1 },
        partialFilterExpression: { hasContent: true },
      },
      { name: 'reservation', key: { 'reservation.id': 1 } },
    ],
    collisions: { open_place: slotTaken },
  });
}
