import { create } from '@bufbuild/protobuf';
import { afterEach, describe, expect, it } from '@jest/globals';
import { refusal, Refused } from '@parley/errors';
import { ListEventsResponseSchema } from '@parley/proto/webhooks/v1/event_log_pb';
import type { EmployeePrincipal } from '@parley/rpc';
import { waitUntil } from '@parley/testkit/wait-until';
import { type EventClient, type EventSource, streamEvents } from './event-stream.ts';

const admin = { companyId: 'com_1', role: 'admin' } as EmployeePrincipal;
const opened: AbortController[] = [];
afterEach(() => opened.splice(0).forEach((one) => one.abort()));

/** A log of numbered events and a client of it; the cursor of an event is its number. */
function start(after: string | undefined, options: { events?: number; isRoomy?: (content: string) => boolean } = {}) {
  const signal = new AbortController();
  opened.push(signal);
  const state = {
    events: options.events ?? 0,
    announced: 0,
    reader: admin as EmployeePrincipal | undefined,
    isDrained: true,
    failures: [] as unknown[],
    toThrow: [] as Error[],
    expired: undefined as string | undefined,
    /** Read instead of the newest, as by a reader that was a moment too early. */
    onRead: () => {},
  };
  const did: string[] = [];
  const limits: number[] = [];
  const client: EventClient = {
    companyId: 'com_1',
    verify: async () => state.reader,
    offer(content) {
      if (options.isRoomy?.(content) === false) return false;
      const { type, cursor, oldest_cursor: oldest, event } = JSON.parse(content);
      did.push([type, cursor ?? oldest, event?.id].filter(Boolean).join(' '));
      return true;
    },
    drained: async () => state.isDrained,
    confirm: () => void did.push('confirmed'),
    reject: () => void did.push('rejected'),
    disconnect: () => void did.push('disconnected'),
  };
  const source: EventSource = {
    async read(_reader, { after: cursor, limit, onlyPosition }) {
      const [error] = state.toThrow.splice(0, 1);
      if (error) throw error;
      limits.push(limit);
      if (state.expired) return create(ListEventsResponseSchema, { oldestCursor: state.expired });
      if (onlyPosition) return create(ListEventsResponseSchema, { nextCursor: String(state.events) });
      const first = Number(cursor) + 1;
      const last = Math.min(state.events, Number(cursor) + limit);
      const numbers = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
      state.onRead();
      return create(ListEventsResponseSchema, {
        events: numbers.map((n) => ({ id: `evt_${n}`, body: '{}', cursor: String(n) })),
        nextCursor: String(Math.max(last, Number(cursor))),
        hasMore: last < state.events,
      });
    },
    write: async (_reader, events) => events.map(({ id }) => JSON.stringify({ id })),
    announced: () => state.announced,
    async changed(since, aborted) {
      await waitUntil(() => state.announced !== since || aborted.aborted, { what: 'an announcement' });
    },
    onFailure: (error) => void state.failures.push(error),
  };
  const ended = streamEvents(client, { after, types: [] }, source, signal.signal);
  const sent = () => did.filter((one) => one.startsWith('event')).map((one) => one.split(' ')[1]);
  return { state, did, sent, limits, ended, stop: () => signal.abort() };
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => String(from + index));

describe('a stream of events', () => {
  it('a stream of events without a cursor begins with what happens from now on', async () => {
    const { state, did } = start(undefined, { events: 7 });
    await waitUntil(() => did.length === 2, { what: 'the beginning' });
    state.events = 8;
    state.announced += 1;
    await waitUntil(() => did.length === 3, { what: 'the event' });
    expect(did).toEqual(['confirmed', 'caught_up 7', 'event 8 evt_8']);
  });

  it('a stream of events continues behind its cursor, page by page, and says once that it has caught up', async () => {
    const { state, did, sent } = start('20', { events: 270 });
    await waitUntil(() => did.at(-1) === 'caught_up 270', { what: 'the past' });
    state.events = 271;
    state.announced += 1;
    await waitUntil(() => did.at(-1) === 'event 271 evt_271', { what: 'the event' });
    expect(sent()).toEqual(numbers(21, 271));
    expect(did.filter((one) => one.startsWith('caught_up'))).toHaveLength(1);
    expect(did[0]).toBe('confirmed');
  });

  it('a stream of events reads again what was announced while it read', async () => {
    const stream = start('0');
    stream.state.onRead = () => {
      if (stream.state.events > 0) return;
      stream.state.events = 1;
      stream.state.announced += 1;
    };
    await waitUntil(() => stream.sent().length === 1, { what: 'the event' });
  });

  it('a stream of events reads again what its client had no room for, in smaller pages, and repeats nothing', async () => {
    let offers = 0;
    const { did, sent, limits } = start('0', { events: 50, isRoomy: () => (offers += 1) % 8 !== 0 });
    await waitUntil(() => did.at(-1)?.startsWith('caught_up') ?? false, { what: 'the past' });
    expect(sent()).toEqual(numbers(1, 50));
    expect(limits[0]).toBe(100);
    expect(limits[1]).toBe(7);
  });

  it('a stream of events reads nothing more for a client that is too slow, and disconnects it', async () => {
    const stream = start('0', { events: 300 });
    stream.state.onRead = () => (stream.state.isDrained = false);
    await stream.ended;
    expect(stream.did.at(-1)).toBe('disconnected');
    expect(stream.sent()).toEqual(numbers(1, 100));
  });

  it('a stream of events from an expired cursor says where to go on, and is rejected', async () => {
    const { state, did, ended } = start('0');
    state.expired = '17';
    await ended;
    expect(did).toEqual(['cursor_expired 17', 'rejected']);
  });

  it('a stream of events from a damaged cursor is rejected', async () => {
    const { state, did, ended } = start('0');
    state.toThrow.push(new Refused(refusal('invalid_cursor', 'after is invalid')));
    await ended;
    expect(did).toEqual(['rejected']);
  });

  it('a stream of events goes on after a read has failed', async () => {
    const { state, sent } = start('0', { events: 1 });
    state.toThrow.push(new Error('unavailable'));
    await waitUntil(() => sent().length === 1, { what: 'the event' });
    expect(state.failures).toHaveLength(1);
  });

  it.each([
    ['who has lost the role', { ...admin, role: 'member' } as EmployeePrincipal, 'rejected'],
    ['whose credential has ended', undefined, 'caught_up 1'],
  ])('a stream of events sends nothing to a reader %s', async (_, reader, last) => {
    const { state, did, ended } = start('0', { events: 1 });
    await waitUntil(() => did.at(-1) === 'caught_up 1', { what: 'the past' });
    Object.assign(state, { reader, events: 2, announced: 1 });
    await ended;
    expect(did.at(-1)).toBe(last);
  });

  it('a stream of events sends nothing after its end', async () => {
    const stream = start('0', { events: 300 });
    stream.state.onRead = stream.stop;
    await stream.ended;
    expect(stream.did).toEqual([]);
  });
});
