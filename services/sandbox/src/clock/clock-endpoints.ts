import type { Clock } from '@parley/clock';
import { json, empty, HttpError, type Endpoint, endpoint } from '@parley/http';
import { z } from 'zod';
import { type ClockControl, ClockNotSettled } from './clock-control.ts';
import { BrokerUnreachable } from './nats-clock-members.ts';

const TEN_YEARS_SECS = 10 * 366 * 24 * 3600;

const clockJson = z.object({ now: z.iso.datetime() });
const clockView = (now: Date) => ({ now: now.toISOString() });

export function clockEndpoints({ clock, control }: { clock: Clock; control: ClockControl }): Endpoint<undefined>[] {
  const refuses = { 503: '`clock_not_settled` with `busy`: who is still at work; `broker_unreachable`' };

  const advance = endpoint('none')({
    route: 'POST /clock/advance',
    tag: 'Test clock',
    summary: 'Move the clock of every service forward',
    body: z.object({ seconds: z.number().positive().max(TEN_YEARS_SECS) }),
    responses: { 200: clockJson },
    errors: refuses,
    handle: async ({ body }) => json(200, clockView(await answerable(control.advance(body.seconds)))),
  });

  const rewind = endpoint('none')({
    route: 'POST /clock/rewind',
    tag: 'Test clock',
    summary: 'Move the clock of every service back',
    body: z.object({ seconds: z.number().positive().max(TEN_YEARS_SECS) }),
    responses: { 200: clockJson },
    errors: refuses,
    handle: async ({ body }) => json(200, clockView(await answerable(control.rewind(body.seconds)))),
  });

  const show = endpoint('none')({
    route: 'GET /clock',
    tag: 'Test clock',
    summary: 'Show the time of the services',
    responses: { 200: clockJson },
    handle: () => json(200, clockView(clock.now())),
  });

  const reset = endpoint('none')({
    route: 'DELETE /clock',
    tag: 'Test clock',
    summary: 'Go back to real time',
    responses: { 204: null },
    errors: refuses,
    async handle() {
      await answerable(control.reset());
      return empty(204);
    },
  });

  return [advance, rewind, show, reset];
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
