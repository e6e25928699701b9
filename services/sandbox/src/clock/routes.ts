import type { Clock } from '@parley/clock';
import { answer, empty, HttpError, type Route, route } from '@parley/http';
import { z } from 'zod';
import { type ClockControl, ClockNotSettled } from './clock-control.ts';
import { BrokerUnreachable } from './nats-clock-members.ts';

const TEN_YEARS_SECS = 10 * 366 * 24 * 3600;

const clockJson = z.object({ now: z.iso.datetime() });
const clockView = (now: Date) => ({ now: now.toISOString() });

export function clockRoutes({ clock, control }: { clock: Clock; control: ClockControl }): Route<undefined>[] {
  const refuses = { 503: '`clock_not_settled` with `busy`: who is still at work; `broker_unreachable`' };

  const advance = route()({
    method: 'post',
    path: '/clock/advance',
    tag: 'Test clock',
    summary: 'Move the clock of every service forward',
    body: z.object({ seconds: z.number().positive().max(TEN_YEARS_SECS) }),
    answers: { 200: clockJson },
    refuses,
    handle: async ({ body }) => answer(200, clockView(await answerable(control.advance(body.seconds)))),
  });

  const show = route()({
    method: 'get',
    path: '/clock',
    tag: 'Test clock',
    summary: 'Show the time of the services',
    answers: { 200: clockJson },
    handle: () => answer(200, clockView(clock.now())),
  });

  const reset = route()({
    method: 'delete',
    path: '/clock',
    tag: 'Test clock',
    summary: 'Go back to real time',
    answers: { 204: null },
    refuses,
    async handle() {
      await answerable(control.reset());
      return empty(204);
    },
  });

  return [advance, show, reset];
}

async function answerable<T>(move: Promise<T>): Promise<T> {
  try {
    return await move;
  } catch (error) {
    if (error instanceof ClockNotSettled) throw unavailable('clock_not_settled', { busy: error.busy });
    if (error instanceof BrokerUnreachable) throw unavailable('broker_unreachable');
    throw error;
  }
}

const unavailable = (code: string, more: object = {}) => new HttpError(503, { error: code, code, ...more });
