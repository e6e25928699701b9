import type { Logger } from '@parley/telemetry';
import type { Event } from '../event/envelope.ts';
import { type AggregateQueue, setApplied } from './aggregate-queue.ts';
import type { DeadLetters } from './dead-letters.ts';

/** Applies single events, and decides what follows from a failure. */
export interface EventAttempts {
  /** Resolves with true when the event needs no further attempt: it was applied, or became a dead letter. */
  tryToApply(queue: AggregateQueue, event: Event): Promise<boolean>;
  /** When the failed event of a queue is tried again. */
  retryAt(queue: AggregateQueue): Date;
}

export interface EventAttemptsOptions {
  readonly follower: string;
  readonly apply: (event: Event) => Promise<void>;
  readonly deadLetters: Pick<DeadLetters, 'add'>;
  readonly triesMax: number;
  readonly retryDelayMs: (tries: number) => number;
  readonly log: Logger;
}

export function eventAttempts(options: EventAttemptsOptions): EventAttempts {
  const { follower, apply, deadLetters, triesMax, retryDelayMs, log } = options;
  return {
    async tryToApply(queue, event) {
      const sequence = event.aggregateSequence;
      try {
        await apply(event);
      } catch (error) {
        const tries = (queue.failing?.sequence === sequence ? queue.failing.tries : 0) + 1;
        if (tries < triesMax || isUnavailable(error)) {
          queue.failing = { sequence, tries };
          log.warn({ err: error, follower, event: event.id, type: event.type, tries }, 'event not applied; retrying');
          return false;
        }
        await deadLetters.add(event, error);
      }
      setApplied(queue, sequence);
      return true;
    },
    retryAt: ({ failing }) => new Date(Date.now() + (failing ? retryDelayMs(failing.tries) : 0)),
  };
}

/**
 * Checks the name only, because this library does not depend on libs/rpc. A service that does not respond now will respond later,
 * so the event does not become a dead letter.
 */
function isUnavailable(error: unknown): boolean {
  return error instanceof Error && error.name === 'Unavailable';
}
