import { Refused, refusal } from '@parley/errors';
import type { RpcContext, ServicePrincipal } from '@parley/rpc';
import type { Logger } from '@parley/telemetry';
import type { Faults } from './sandbox-faults.ts';

/** What is around every request, whichever engine answers it. */
export interface RequestQueue {
  /** Does the work within the time limit; the signal it is handed ends with the caller too. */
  conduct<T>(
    call: Pick<RpcContext<ServicePrincipal>, 'principal' | 'signal'>,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
}

export interface ConductorOptions {
  /** What is done, to be read before "failed". */
  readonly task: string;
  /** Requests in hand, under way or waiting; one more is refused. It bounds memory as well as waiting. */
  readonly inHandMax: number;
  readonly limitMs: number;
  readonly faults: Faults;
  readonly log: Pick<Logger, 'error'>;
}

export function createConductor({ task, inHandMax, limitMs, faults, log }: ConductorOptions): RequestQueue {
  let inHand = 0;
  return {
    async conduct({ principal, signal }, work) {
      if (inHand >= inHandMax) {
        throw new Refused(refusal('rate_limited', `the speech service has too much to do: ${task} was not begun`));
      }
      inHand += 1;
      const limited = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
      try {
        await faults.suffer(principal, limited);
        limited.throwIfAborted();
        return await work(limited);
      } catch (error) {
        if (error instanceof Refused || signal.aborted) throw error;
        log.error({ err: error, task }, 'a speech engine failed');
        throw new Refused(refusal('speech_failed', `${task} failed; try again after a moment`));
      } finally {
        inHand -= 1;
      }
    },
  };
}
