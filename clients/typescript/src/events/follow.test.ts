import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EventServer, type Fault } from '../../test/event-server.ts';
import { jsonResponse, networkError } from '../../test/scripted-fetch.ts';
import { Parley } from '../parley.ts';
import type { FollowOptions } from './follow.ts';

function follow(
  server: EventServer,
  options: FollowOptions = {},
  socket: unknown = function open() {
    return (server.WebSocket as () => unknown)();
  },
) {
  const connection = { apiKey: 'pk_1', baseUrl: 'https://phone.example', maxRetries: 0 };
  return new Parley({ ...connection, fetch: server.fetch, WebSocket: socket }).events.follow(options);
}

/** Ids and cursors of the first so many events. */
async function take(events: ReturnType<typeof follow>, count: number): Promise<[id: string, cursor: string][]> {
  const taken: [string, string][] = [];
  if (count === 0) return taken;
  for await (const { event, cursor } of events) {
    taken.push([event.id, cursor]);
    if (taken.length === count) break;
  }
  return taken;
}

const expected = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => [`evt_${from + n}`, String(from + n + 1)]);

function serverWith(count: number, faults: Fault[] = []): EventServer {
  const server = new EventServer(faults);
  for (let n = 0; n < count; n++) server.add();
  return server;
}

describe('the events that are followed', () => {
  it('the events that are followed begin after the cursor, and go on with those that happen', async () => {
    const server = serverWith(3);
    const events = follow(server, { after: '1' });
    expect(await take(events, 2)).toEqual(expected(1, 2));
    expect(server.sockets[0]!.sent).toEqual([
      { command: 'subscribe', identifier: { channel: 'EventsChannel', after: '1' } },
    ]);
    // The loop has ended.
    expect(server.sockets[0]!.isClosed).toBe(true);
  });

  it('the events that are followed begin now without a cursor', async () => {
    const server = serverWith(3);
    const taking = take(follow(server), 2);
    await new Promise((resolve) => setTimeout(resolve, 20));
    server.add();
    server.add();
    expect(await taking).toEqual(expected(3, 2));
  });

  it.each([
    ['by the live channel', undefined],
    ['without it', null],
  ])('the events that are followed begin at a time, %s', async (_name, socket) => {
    const server = serverWith(4);
    server.recordedAt = (position) => Date.UTC(2026, 10, 1, position);
    const from = '2026-11-01T02:00:00Z';
    expect(await take(follow(server, { from }, socket), 2)).toEqual(expected(2, 2));
    expect(new URL(server.requests[0]!).searchParams.get('from')).toBe(from);
    // What happens next.
    const taking = take(follow(server, { from: new Date('2026-11-02') }, socket), 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    server.add();
    expect(await taking).toEqual(expected(4, 1));
  });

  it('the events that are followed begin at one place', async () => {
    const events = follow(serverWith(1), { after: '0', from: new Date() });
    await expect(events.next()).rejects.toThrow('alternatives');
  });

  it('the events that are followed are those of the types', async () => {
    const server = new EventServer();
    for (const type of ['call.ended', 'contact.created', 'call.ended']) server.add(type);
    expect(await take(follow(server, { after: '0', types: ['call.ended'] }), 2)).toEqual([
      ['evt_0', '1'],
      ['evt_2', '3'],
    ]);
  });

  it('the events that are followed come once each, in their order, whatever breaks off and wherever the reader stops', async () => {
    const fault = fc.oneof(
      fc.record({ cutAfter: fc.integer({ min: 0, max: 5 }) }),
      fc.constant({ refuse: true }),
      fc.constant({ reject: true }),
    );
    const scenario = fc.record({
      stops: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
      faults: fc.array(fault, { maxLength: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ stops, faults }) => {
        const count = stops.reduce((sum, stop) => sum + stop, 0);
        const server = serverWith(count, [...faults]);
        const taken: [string, string][] = [];
        for (const stop of stops)
          taken.push(...(await take(follow(server, { after: taken.at(-1)?.[1] ?? '0' }), stop)));
        expect(taken).toEqual(expected(0, count));
      }),
      { numRuns: 30 },
    );
  });

  it('the events that are followed go on after the connection is cut in the middle, and after an outage', async () => {
    const server = serverWith(6, [{ cutAfter: 2 }, { cutAfter: 1 }, {}]);
    server.failures.push(networkError('ECONNRESET'), jsonResponse({ error: 'unavailable' }, 503));
    const retried: string[] = [];
    const onRetry = ({ name }: Error) => void retried.push(name);
    expect(await take(follow(server, { after: '0', onRetry }), 6)).toEqual(expected(0, 6));
    expect(server.requests.length).toBeGreaterThan(2);
    expect(retried).toEqual(['ConnectionError', 'ServerError']);
  });

  it.each([
    ['there are none', undefined],
    [
      'they cannot be made',
      class {
        constructor() {
          throw new SyntaxError('protocols');
        }
      },
    ],
  ])('the events that are followed are read one by one where WebSockets do not pass: %s', async (_name, socket) => {
    const server = serverWith(5);
    const events = follow(server, { after: '1' }, socket ?? null);
    expect(await take(events, 4)).toEqual(expected(1, 4));
    expect(server.requests[0]).toBe('https://phone.example/api/v1/events?limit=1&after=1');
  });

  it('the events that are followed are read where the channel refuses everybody', async () => {
    const server = serverWith(4, [{ reject: true }]);
    expect(await take(follow(server, { after: '0' }), 4)).toEqual(expected(0, 4));
  });

  it.each([
    [
      410,
      { error: 'cursor_expired', code: 'cursor_expired', oldest_cursor: '7' },
      { name: 'CursorExpiredError', oldestCursor: '7' },
    ],
    [422, { error: 'after is invalid', code: 'invalid_cursor' }, { name: 'ValidationError', code: 'invalid_cursor' }],
    [401, { error: 'Invalid API key' }, { name: 'AuthenticationError' }],
    [403, { error: 'forbidden' }, { name: 'PermissionError' }],
    [404, { error: 'not_found' }, { name: 'NotFoundError' }],
  ])('the events that are followed end with an error when the log responds %i', async (status, body, error) => {
    const server = serverWith(1, [{ reject: true }]);
    server.failures.push(jsonResponse(body, status));
    await expect(take(follow(server, { after: '0' }), 1)).rejects.toMatchObject(error);
  });

  it('the events that are followed end with an error when the service cannot be reached at the beginning', async () => {
    const server = serverWith(1, [{ refuse: true }]);
    server.failures.push(networkError('ECONNREFUSED'));
    await expect(take(follow(server, { after: '0' }), 1)).rejects.toMatchObject({ name: 'ConnectionError' });
  });

  it('the events that are followed end with their signal, without an error', async () => {
    const server = serverWith(2);
    const stop = new AbortController();
    const ids: string[] = [];
    for await (const { event } of follow(server, { after: '0', signal: stop.signal })) {
      ids.push(event.id);
      if (ids.length === 1) setTimeout(() => stop.abort(), 10);
    }
    expect(ids).toEqual(['evt_0', 'evt_1']);
    expect(server.sockets[0]!.isClosed).toBe(true);
  });

  it('the events that are followed include types, fields and messages that nobody knows yet', async () => {
    const server = new EventServer();
    server.log.push({ id: 'evt_0', event: 'fax.received', data: { pages: 2 } } as never);
    const events = follow(server, { after: '0' });
    const first = events.next();
    await new Promise((resolve) => setTimeout(resolve, 10));
    server.sockets[0]!.receive('no JSON');
    server.sockets[0]!.receive({ type: 'news' });
    server.sockets[0]!.receive({ identifier: 'x', message: { type: 'news', cursor: 'c' } });
    expect((await first).value).toMatchObject({ cursor: '1', event: { event: 'fax.received', data: { pages: 2 } } });
    const second = events.next();
    server.add();
    expect((await second).value).toMatchObject({ cursor: '2' });
    await events.return();
  });

  it('the events that are followed do not fill the memory of a reader that is slower than the service', async () => {
    const server = serverWith(0);
    const events = follow(server, { after: '0' });
    const first = events.next();
    await new Promise((resolve) => setTimeout(resolve, 10));
    for (let n = 0; n < 3000; n++) server.add();
    await first;
    expect(server.sockets[0]!.isClosed).toBe(true);
    expect(await take(events, 2999)).toEqual(expected(1, 2999));
  });
});
