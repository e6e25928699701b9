import type { Clock } from '@parley/clock';
import { type Aggregates, openAggregates, type Relay } from '@parley/aggregates';
import { digest } from '@parley/secrets';
import type { Db } from 'mongodb';
import { endSession, type Session, type SessionEvent } from './session.ts';
import { encodeSessionEvent } from './session-proto.ts';

export interface Sessions extends Aggregates<Session, SessionEvent> {
  /** Finds a session by its cookie value, also an expired one. */
  bySecret(secret: string): Promise<Session | undefined>;
  /** Idempotent: a session that has ended stays so. */
  end(session: Session): Promise<void>;
  endAll(employee: { companyId: string; employeeId: string }): Promise<void>;
}

export async function openSessions(db: Db, relay: Relay, clock: Clock): Promise<Sessions> {
  const sessions = await openAggregates<Session, SessionEvent>({
    db,
    collection: 'sessions',
    relay,
    clock,
    encode: encodeSessionEvent,
    indexes: [
      { name: 'digest', key: { digest: 1 }, unique: true },
      { name: 'employee', key: { companyId: 1, employeeId: 1, createdAt: -1 } },
      { name: 'expiry', key: { expiresAt: 1 } },
    ],
  });
  async function end({ id, companyId }: Session): Promise<void> {
    await sessions.of(companyId).changeIfExists(id, endSession);
  }
  return {
    ...sessions,
    // A cookie does not contain its company, so the query spans all companies.
    bySecret: (secret) => sessions.acrossCompanies.findOne({ digest: digest(secret) }),
    end,
    async endAll({ companyId, employeeId }) {
      for await (const session of sessions.of(companyId).find({ employeeId }, { createdAt: 1 })) await end(session);
    },
  };
}
