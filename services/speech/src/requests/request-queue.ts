import { refusal, Refused } from '@parley/errors';
import { Priority } from '@parley/proto/speech/v1/speech_pb';
import type { RpcContext, ServicePrincipal } from '@parley/rpc';
import type { Logger } from '@parley/telemetry';
import { type JobContext, type JobPriority, PRIORITY } from '../workers/serve-jobs.ts';
import type { Faults } from './sandbox-faults.ts';

/** The company and priority of a request, from its message. */
export interface RequestedFor {
  readonly companyId: string;
  readonly priority?: Priority;
}

type Rpc = Pick<RpcContext<ServicePrincipal>, 'principal' | 'signal'>;

/** Requests of one kind: how many may be in progress, and for how long. */
export interface RequestQueue {
  /** Does the work within the time limit; its signal also ends with the caller. */
  run<T>(rpc: Rpc, requestedFor: RequestedFor, work: (context: JobContext) => Promise<T>): Promise<T>;
  /**
   * The same for work that has one result after the other. A fault that is set while it goes on takes effect with the next
   * `simulateFault`.
   */
  stream<T>(
    rpc: Rpc,
    requestedFor: RequestedFor,
    work: (context: JobContext, simulateFault: () => Promise<void>) => AsyncIterable<T>,
  ): AsyncGenerator<T>;
}

export interface RequestQueueOptions {
  /** Names the task in error messages: "<task> failed". */
  readonly task: string;
  /** Requests in progress or waiting; one more is refused. It bounds memory as well as waiting. */
  readonly inProgressMax: number;
  /** Undefined for what lasts as long as its caller likes. */
  readonly limitMs: number | undefined;
  readonly faults: Faults;
  readonly log: Pick<Logger, 'error'>;
}

const priorities: Record<Priority, JobPriority> = {
  [Priority.UNSPECIFIED]: PRIORITY.background,
  [Priority.BACKGROUND]: PRIORITY.background,
  [Priority.INTERACTIVE]: PRIORITY.interactive,
  [Priority.CALL]: PRIORITY.call,
};

export function createRequestQueue(options: RequestQueueOptions): RequestQueue {
  const { task, inProgressMax, limitMs, faults, log } = options;
  /** No company alone can take all places, nor those kept for callers on the line. */
  const perCompanyMax = Math.ceil(inProgressMax / 2);
  const inProgressMaxOfCalls = 2 * inProgressMax;
  const byCompany = new Map<string, number>();
  let inProgress = 0;

  function isFull(companyId: string, priority: JobPriority): boolean {
    if (priority === PRIORITY.call) return inProgress >= inProgressMaxOfCalls;
    return inProgress >= inProgressMax || (companyId !== '' && (byCompany.get(companyId) ?? 0) >= perCompanyMax);
  }

  function count(companyId: string, change: 1 | -1): void {
    inProgress += change;
    const own = (byCompany.get(companyId) ?? 0) + change;
    if (own > 0) byCompany.set(companyId, own);
    else byCompany.delete(companyId);
  }

  /** A place among the requests in progress. */
  function enter({ principal, signal }: Rpc, { companyId, priority: requested = Priority.BACKGROUND }: RequestedFor) {
    const priority = priorities[requested] ?? PRIORITY.background;
    if (isFull(companyId, priority))
      throw new Refused(refusal('rate_limited', `the speech service is busy: ${task} was not started`));
    count(companyId, 1);
    const limited = limitMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
    return {
      context: { signal: limited, companyId, priority },
      async simulateFault(): Promise<void> {
        await faults.simulate(principal, limited);
        limited.throwIfAborted();
      },
      /** What the caller gets for an error. */
      failure(error: unknown): unknown {
        if (error instanceof Refused || signal.aborted) return error;
        log.error({ err: error, task }, 'a speech engine failed');
        return new Refused(refusal('speech_failed', `${task} failed; try again after a moment`));
      },
      leave: () => count(companyId, -1),
    };
  }

  return {
    async run(rpc, requestedFor, work) {
      const place = enter(rpc, requestedFor);
      try {
        await place.simulateFault();
        return await work(place.context);
      } catch (error) {
        throw place.failure(error);
      } finally {
        place.leave();
      }
    },
    async *stream(rpc, requestedFor, work) {
      const place = enter(rpc, requestedFor);
      try {
        await place.simulateFault();
        yield* work(place.context, place.simulateFault);
      } catch (error) {
        throw place.failure(error);
      } finally {
        place.leave();
      }
    },
  };
}
