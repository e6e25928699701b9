import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { invalid, refusal, Refused } from '@parley/errors';
import { fairQueue } from '@parley/queues';
import { LRUCache } from 'lru-cache';
import { HolidayService } from '@parley/proto/numbers_routing/v1/closures_pb';
import { employees, type RpcServer } from '@parley/rpc';
import type { PublicHoliday } from './calculate-holidays.ts';
import { YEAR_MAX, YEAR_MIN } from '../closures/closure-rpcs.ts';

/** Calendars of public holidays. */
export type Holidays = ReturnType<typeof openHolidays>;

export interface CalendarRequest {
  readonly country: string;
  readonly year: number;
}

type Calendar = readonly PublicHoliday[] | undefined;

interface WaitingRequest extends CalendarRequest, PromiseWithResolvers<Calendar> {}

const PROGRAM = path.join(import.meta.dirname, 'holiday-worker.ts');
/** Calendars that are kept, or being calculated. */
const KEPT_MAX = 500;
/** Calendars of a company that wait for the thread. */
const WAITING_MAX = 50;
/** The thread has the tables of all countries, several megabytes: it ends when nobody has asked for this long. */
const IDLE_MS = 60_000;

/** Calculates them in a thread, because calls are routed here: one at a time, companies in turn. */
export function openHolidays({ idleMs = IDLE_MS }: { idleMs?: number } = {}) {
  const kept = new LRUCache<string, Promise<Calendar>>({ max: KEPT_MAX });
  const queue = fairQueue<WaitingRequest>();
  let thread: Worker | undefined;
  let current: WaitingRequest | undefined;
  let idleTimer: NodeJS.Timeout | undefined;

  function startThread(): Worker {
    const started = new Worker(PROGRAM, { execArgv: ['--disable-warning=ExperimentalWarning'], env: {} });
    started.on('message', (calendar: Calendar) => settle((request) => request.resolve(calendar)));
    const onEnd = (reason: unknown) => {
      if (thread !== started) return;
      thread = undefined;
      settle((request) => request.reject(new Error('the calculation of holidays has ended', { cause: reason })));
    };
    started.once('error', onEnd);
    started.once('exit', onEnd);
    started.unref();
    return started;
  }

  function settle(answer: (request: WaitingRequest) => void): void {
    const settled = current;
    current = undefined;
    if (settled) answer(settled);
    next();
  }

  function next(): void {
    if (current) return;
    current = queue.take();
    clearTimeout(idleTimer);
    if (current) {
      thread ??= startThread();
      thread.postMessage({ country: current.country, year: current.year } satisfies CalendarRequest);
    } else if (thread) idleTimer = setTimeout(() => void endThread(), idleMs).unref();
  }

  async function endThread(): Promise<void> {
    const ended = thread;
    thread = undefined;
    await ended?.terminate();
  }

  return {
    /** Those of a country in a year; undefined for a country that is not known. */
    of(companyId: string, country: string, year: number): Promise<Calendar> {
      const key = `${country}/${year}`;
      const known = kept.get(key);
      if (known) return known;
      if (queue.sizeOf(companyId) >= WAITING_MAX)
        throw new Refused(refusal('rate_limited', `at most ${WAITING_MAX} calendars are calculated at a time`));
      const request = { country, year, ...Promise.withResolvers<Calendar>() };
      kept.set(key, request.promise);
      request.promise.catch(() => kept.delete(key));
      queue.add(companyId, request);
      next();
      return request.promise;
    },
    async stop(): Promise<void> {
      clearTimeout(idleTimer);
      const waiting = [...queue.clear(), ...(current ? [current] : [])];
      current = undefined;
      await endThread();
      for (const request of waiting) request.reject(new Error('the service is stopping'));
    },
  };
}

export function addHolidayRpcs(server: RpcServer, calendars: Holidays): void {
  server.add(HolidayService, employees.withRole('member'), {
    async listHolidays({ country, year }, { principal: { companyId } }) {
      if (year < YEAR_MIN || year > YEAR_MAX)
        throw new Refused(invalid({ year: [`must be ${YEAR_MIN} to ${YEAR_MAX}`] }));
      const holidays = await calendars.of(companyId, country, year);
      if (!holidays) throw new Refused(invalid({ country: ['is not a country whose holidays are known'] }));
      return { holidays: [...holidays] };
    },
  });
}
