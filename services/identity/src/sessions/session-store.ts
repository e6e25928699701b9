import type { Clock } from '@parley/clock';
import { openAggregates, type Relay } from '@parley/aggregates';
import { digest } from '@parley/secrets';
import type { Db } from 'mongodb';
import { type EncodedMessage, encodeMessage } from '@parley/events';
import { SessionStage } from '@parley/proto/identity/v1/credentials_pb';
import { endSession, type Session, type SessionEnd, type SessionEvent, type Stage } from './session.ts';
import { encodeCredentialRevoked } from '../revocations/credential-proto.ts';
import type { Account } from '../accounts/account.ts';

export type Sessions = Awaited<ReturnType<typeof openSessions>>;

export async function openSessions(db: Db, relay: Relay, clock: Clock) {
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
  /** Idempotent: a session that has ended stays so. */
  async function end({ id, companyId }: Session, reason?: SessionEnd): Promise<void> {
    await sessions.of(companyId).changeIfExists(id, (current) => endSession(current, reason));
  }
  return {
    ...sessions,
    // A cookie does not contain its company, so the query spans all companies.
    bySecret: (secret: string) => sessions.acrossCompanies.findOne({ digest: digest(secret) }),
    end,
    async endAll({ companyId, employeeId }: { companyId: string; employeeId: string }): Promise<void> {
      for await (const session of sessions.of(companyId).find({ employeeId }, { createdAt: 1 })) await end(session);
    },
    /** Removes the sessions that are over because the employee was deactivated. */
    async endOutdated({ companyId, employeeId, passwordVersion }: Account): Promise<void> {
      for await (const session of sessions.of(companyId).find({ employeeId }, { createdAt: 1 }))
        if (session.passwordVersion !== passwordVersion) await end(session, 'deactivated');
    },
  };
}

export const stageToProto: Readonly<Record<Stage, SessionStage>> = {
  one_time_code: SessionStage.ONE_TIME_CODE,
  enrolment: SessionStage.ENROLMENT,
  signed_in: SessionStage.SIGNED_IN,
};

function encodeSessionEvent(event: SessionEvent): EncodedMessage {
  if (event.type === 'identity.credential.revoked') return encodeCredentialRevoked(event);
  const { type, employeeId, sessionId } = event;
  return encodeMessage(type, { employeeId, sessionId });
}
