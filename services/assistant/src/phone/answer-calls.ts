import type { Invite, InviteDecision, SipCall } from '@parley/sip';
import type { Clock } from '@parley/clock';
import { Refused } from '@parley/errors';
import type { Telemetry } from '@parley/telemetry';
import type { HeldSessions } from './held-sessions.ts';
import type { RunningSession } from '../running/running-session.ts';
import { type Session, takeReservation } from '../sessions/session.ts';
import type { Sessions } from '../sessions/session-store.ts';

const FORBIDDEN = 403;
const UNAVAILABLE = 480;
/** Made by this service; anything else is not looked for. */
const RESERVATION = /^res[0-9a-z]{32}$/;

/** Answers calls for a reservation; every other one is refused without an effect. */
export function answerCalls(options: {
  readonly sessions: Sessions;
  readonly processId: string;
  readonly held: HeldSessions;
  readonly sessionsMax: number;
  /** Reads what the session needs; the call is answered then. */
  readonly prepare: (session: Session) => Promise<(call: SipCall) => RunningSession>;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}): (invite: Invite) => Promise<InviteDecision> {
  const { sessions, processId, held, sessionsMax, prepare, clock, telemetry } = options;

  async function taken(reservationId: string): Promise<Session | undefined> {
    if (!RESERVATION.test(reservationId)) return undefined;
    // Its id is a secret that only call-control knows.
    const found = await sessions.acrossCompanies.findOne({ 'reservation.id': reservationId });
    if (!found) return undefined;
    try {
      return await sessions
        .of(found.companyId)
        .change(found.id, (session) => takeReservation(session, processId, reservationId, clock.now()));
    } catch (error) {
      if (error instanceof Refused) return undefined;
      throw error;
    }
  }

  return async ({ user }) => {
    if (held.size >= sessionsMax) return { refuse: UNAVAILABLE };
    const session = await taken(user);
    if (!session) return { refuse: FORBIDDEN };
    const start = await prepare(session);
    return {
      accept(call) {
        const running = start(call);
        held.add(session.id, running);
        running.readUpdates();
        return {
          audio: ({ samples }) => running.onAudio(samples),
          key: (key) => running.onKey(key),
          played: (clip) => running.onPlayed(clip),
          ended() {
            held
              .end(running)
              .catch((error: unknown) =>
                telemetry.log.warn({ err: error, session: session.id }, 'the end of a session was not stored'),
              );
          },
        };
      },
    };
  };
}
