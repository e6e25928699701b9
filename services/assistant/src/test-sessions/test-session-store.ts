import { openDocuments } from '@parley/aggregates';
import type { BackgroundWork, Clock } from '@parley/clock';
import { decided, notFound, Refused } from '@parley/errors';
import type { Encryptor } from '@parley/secrets';
import type { Logger } from '@parley/telemetry';
import type { Db } from 'mongodb';

/** A session without a call, to try an assistant: forgotten after a quarter of an hour. */
export interface TestSession {
  readonly id: string;
  readonly companyId: string;
  readonly assistantId: string;
  readonly businessNumberId: string;
  /** E.164, or `anonymous`. */
  readonly from: string;
  /** How far the session's time is ahead of the clock, where another one was asked for. */
  readonly aheadMs: number;
  readonly expiresAt: Date;
  /** Turns are answered one after the other: each is decided on the state that the one before has left. */
  readonly turn: number;
  readonly isEnded: boolean;
  /** The state of the conversation, encrypted. */
  readonly sealed: string;
}

const EXPIRY_EVERY_MS = 60_000;
export const stateContext = (id: string) => `test_session/${id}/state`;

export type TestSessions = Awaited<ReturnType<typeof openTestSessions>>;

export async function openTestSessions(
  db: Db,
  { encrypt, decrypt }: Pick<Encryptor, 'encrypt' | 'decrypt'>,
  {
    clock,
    backgroundWork,
    log,
  }: { readonly clock: Clock; readonly backgroundWork: BackgroundWork; readonly log: Logger },
) {
  const sessions = await openDocuments<TestSession>({
    db,
    collection: 'test_sessions',
    indexes: [{ name: 'expires', key: { expiresAt: 1 } }],
  });
  const seal = (id: string, state: unknown) => encrypt(JSON.stringify(state), stateContext(id));
  const expiry = sessions.startExpiry({
    expired: () => ({ expiresAt: { $lte: clock.now() } }),
    everyMs: EXPIRY_EVERY_MS,
    backgroundWork,
    log,
  });
  return {
    stop: () => expiry.stop(),
    async create(session: Omit<TestSession, 'sealed'>, state: unknown): Promise<void> {
      await sessions.of(session.companyId).create(decided({ ...session, sealed: seal(session.id, state) }));
    },
    /** Throws `Refused` for one that is unknown, has expired, or is another assistant's. */
    async get(companyId: string, assistantId: string, id: string): Promise<{ session: TestSession; state: unknown }> {
      const session = await sessions.of(companyId).get(id);
      if (session?.assistantId !== assistantId || session.expiresAt <= clock.now()) throw new Refused(notFound);
      return { session, state: JSON.parse(decrypt(session.sealed, stateContext(id))) as unknown };
    },
    /** Whether nobody else has answered a turn meanwhile. */
    async save({ id, companyId, turn }: TestSession, state: unknown, isEnded: boolean): Promise<boolean> {
      const sealed = seal(id, state);
      const saved = await sessions
        .of(companyId)
        .changeIfExists(id, (current) =>
          decided(current.turn === turn ? { ...current, turn: turn + 1, isEnded, sealed } : current),
        );
      return saved?.sealed === sealed;
    },
  };
}
