import type { RunningSession } from '../running/running-session.ts';

/** The sessions whose audio is in this process. */
export interface HeldSessions {
  readonly size: number;
  add(sessionId: string, session: RunningSession): void;
  /** Something was stored for a session. */
  readUpdates(sessionId: string): void;
  end(session: RunningSession): Promise<void>;
  stop(): Promise<void>;
}

/** A session that was lost here may be continued here before its first leg has ended. */
export function heldSessions(): HeldSessions {
  const held = new Map<RunningSession, string>();
  const ending = new Set<Promise<void>>();

  async function end(session: RunningSession): Promise<void> {
    if (!held.delete(session)) return;
    const ended: Promise<void> = session.end().finally(() => ending.delete(ended));
    ending.add(ended);
    await ended;
  }

  return {
    get size() {
      return held.size;
    },
    add: (id, session) => void held.set(session, id),
    readUpdates(id) {
      for (const [session, sessionId] of held) if (sessionId === id) session.readUpdates();
    },
    end,
    async stop() {
      await Promise.all([...held.keys()].map(end));
      await Promise.all(ending);
    },
  };
}
