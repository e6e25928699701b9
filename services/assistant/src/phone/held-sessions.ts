import type { RunningSession } from '../running/running-session.ts';

/** The sessions whose audio is in this process. */
export interface HeldSessions {
  readonly size: number;
  add(sessionId: string, session: RunningSession): void;
  /** Something was stored for a session. */
  readUpdates(sessionId: string): void;
  end(sessionId: string): Promise<void>;
  stop(): Promise<void>;
}

export function heldSessions(): HeldSessions {
  const held = new Map<string, RunningSession>();
  const ending = new Set<Promise<void>>();

  async function end(id: string): Promise<void> {
    const session = held.get(id);
    if (!session) return;
    held.delete(id);
    const ended: Promise<void> = session.end().finally(() => ending.delete(ended));
    ending.add(ended);
    await ended;
  }

  return {
    get size() {
      return held.size;
    },
    add: (id, session) => void held.set(id, session),
    readUpdates: (id) => held.get(id)?.readUpdates(),
    end,
    async stop() {
      await Promise.all([...held.keys()].map(end));
      await Promise.all(ending);
    },
  };
}
