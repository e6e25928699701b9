import { notFound, Refused } from '@parley/errors';
import type { OutboundMessage } from './message.ts';
import type { Messages } from './message-store.ts';

/** Waits for what attempts come to. */
export interface AttemptOutcomes {
  /**
   * The message once the attempt has left the queue, or as it is when it has not after all. `known`: as it was read or stored.
   * `isOwn`: this process has added the attempt, so it most likely executes it.
   */
  wait(known: OutboundMessage, attempt: number, signal: AbortSignal, isOwn?: boolean): Promise<OutboundMessage>;
  /** This process has stored a result for the message. */
  notify(messageId: string): void;
}

/** Longer than the provider may take, so that a request is answered with its outcome. */
const WAIT_MS_MAX = 20_000;
/** Another process may be the one that submits: then there is no notification. */
const POLL_MS = [100, 200, 400, 1000];
const OWN_POLL_MS = [1000];

export function attemptOutcomes(messages: Messages): AttemptOutcomes {
  const waiting = new Map<string, Set<() => void>>();

  /** Resolves with true when it was woken before the time was over. */
  async function pause(messageId: string, ms: number, signal: AbortSignal): Promise<boolean> {
    const wakers = waiting.get(messageId) ?? new Set();
    waiting.set(messageId, wakers);
    const woken = await new Promise<boolean>((resolve) => {
      const end = (early: boolean) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        wakers.delete(wake);
        resolve(early);
      };
      const abort = () => end(false);
      const wake = () => end(true);
      const timer = setTimeout(end, ms, false);
      signal.addEventListener('abort', abort);
      wakers.add(wake);
    });
    if (wakers.size === 0 && waiting.get(messageId) === wakers) waiting.delete(messageId);
    return woken;
  }

  return {
    async wait(known, attempt, signal, isOwn = false) {
      const polls = isOwn ? OWN_POLL_MS : POLL_MS;
      const own = messages.of(known.companyId);
      const end = performance.now() + WAIT_MS_MAX;
      let message: OutboundMessage = known;
      for (let reads = 0; message.attempts[attempt]?.status === 'queued'; reads++) {
        if (signal.aborted || performance.now() > end) return message;
        const woken = await pause(known.id, polls[Math.min(reads, polls.length - 1)] ?? 0, signal);
        // After a wake-up the cached state is current, because this process has stored it.
        const next = await (woken ? own.getRecent(known.id) : own.get(known.id));
        if (next?.direction !== 'outbound') throw new Refused(notFound);
        message = next;
      }
      return message;
    },
    notify(messageId) {
      for (const wake of waiting.get(messageId) ?? []) wake();
    },
  };
}
