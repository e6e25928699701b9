import { waitUntil } from '@parley/testkit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { byAggregate, contactEvent, type FollowerTest, startFollowerTest } from '../../test/start-follower.ts';
import { encodeMessage } from '../event/event-types.ts';
import type { Event } from '../event/envelope.ts';

let fixture: FollowerTest;
beforeEach(async () => void (fixture = await startFollowerTest()));
afterEach(() => fixture.end());

const MINUTE_MS = 60_000;
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
const settled = (backgroundWork: { report(): Promise<{ busy: number }> }) =>
  waitUntil(async () => (await backgroundWork.report()).busy === 0, { what: 'the follower to be done' });

describe('a follower', () => {
  it('a follower applies what was published before it started, and after', async () => {
    await fixture.publish(contactEvent('a', 1));
    const { applied } = await fixture.follow();
    await waitUntil(() => applied.length === 1, { what: 'the first' });
    await fixture.publish(contactEvent('a', 2), contactEvent('b', 1));
    await waitUntil(() => applied.length === 3, { what: 'the others' });
    expect(byAggregate(applied)).toEqual({ a: [1, 2], b: [1] });
  });

  it('a follower passes the decoded message and the event as it was published', async () => {
    const { data } = encodeMessage('directory.contact.created', { contact: { id: 'a', name: 'Ida' } });
    const event = contactEvent('a', 1, { data });
    const seen: Event[] = [];
    const messages: unknown[] = [];
    await fixture.follow({
      onEvent: (one, message) => {
        seen.push(one);
        messages.push(message);
      },
    });
    await fixture.publish(event);
    await waitUntil(() => seen.length === 1, { what: 'the event' });
    expect(seen).toEqual([event]);
    expect(messages).toMatchObject([{ contact: { id: 'a', name: 'Ida' } }]);
  });

  it('a follower applies an event once, however often it comes', async () => {
    const { applied, backgroundWork } = await fixture.follow();
    const events = [contactEvent('a', 1), contactEvent('a', 2), contactEvent('b', 1)];
    await fixture.publish(...events, ...events);
    await waitUntil(() => applied.length === 3, { what: 'three events' });
    await fixture.publish(...events);
    await settled(backgroundWork);
    expect(applied).toHaveLength(3);
  });

  it('a follower applies in order within an aggregate, in whatever order events come', async () => {
    const { applied } = await fixture.follow();
    for (const sequence of [3, 1, 5, 2, 4])
      await fixture.publish(contactEvent('a', sequence), contactEvent('b', sequence));
    await waitUntil(() => applied.length === 10, { what: 'ten events' });
    expect(byAggregate(applied)).toEqual({ a: numbers(5), b: numbers(5) });
  });

  it('a follower lets an early event wait, without holding up others', async () => {
    const { applied } = await fixture.follow({ gapWaitMs: MINUTE_MS });
    await fixture.publish(contactEvent('a', 2), contactEvent('b', 1));
    await waitUntil(() => applied.length === 1, { what: 'the other aggregate' });
    expect(applied).toEqual(['b 1']);
    await fixture.publish(contactEvent('a', 1));
    await waitUntil(() => applied.length === 3, { what: 'the early one' });
    expect(byAggregate(applied)['a']).toEqual([1, 2]);
  });

  it('a follower continues without an event that is missing for too long, and applies it if it arrives later', async () => {
    const { applied, backgroundWork } = await fixture.follow({ gapWaitMs: 300 });
    await fixture.publish(contactEvent('a', 1), contactEvent('a', 3));
    await waitUntil(() => applied.includes('a 3'), { what: 'the one behind the gap' });
    await fixture.publish(contactEvent('a', 4));
    await waitUntil(() => applied.includes('a 4'), { what: 'the one after it' });
    await fixture.publish(contactEvent('a', 2), contactEvent('a', 3));
    await waitUntil(() => applied.includes('a 2'), { what: 'the late one' });
    await settled(backgroundWork);
    expect(applied).toEqual(['a 1', 'a 3', 'a 4', 'a 2']);
    expect(fixture.lines.filter((line) => line.includes('an event is missing'))).toHaveLength(1);
  });

  it('a follower continues without a missing event also when the wait ends before the position is saved', async () => {
    const { promise: isPublished, resolve: published } = Promise.withResolvers<void>();
    const { applied } = await fixture.follow({ gapWaitMs: 1, onEvent: () => isPublished });
    await fixture.publish(contactEvent('a', 1));
    await fixture.publish(contactEvent('a', 3), contactEvent('b', 1));
    published();
    await waitUntil(() => applied.length === 3, { what: 'the one behind the gap' });
    expect(byAggregate(applied)['a']).toEqual([1, 3]);
  });

  it('a follower starts with an aggregate whose first events have expired, and then follows without waiting', async () => {
    const { applied } = await fixture.follow({ gapWaitMs: 1000 });
    await fixture.publish(contactEvent('a', 57));
    await waitUntil(() => applied.length === 1, { what: 'the first it ever saw' });
    const started = performance.now();
    for (let sequence = 58; sequence < 78; sequence++) await fixture.publish(contactEvent('a', sequence));
    await waitUntil(() => applied.length === 21, { what: 'the others' });
    expect(performance.now() - started).toBeLessThan(8000); // not a second for each
  });

  it('a follower does not wait for types it has no handler for', async () => {
    const { applied } = await fixture.follow({ gapWaitMs: MINUTE_MS });
    await fixture.publish(
      contactEvent('a', 1),
      contactEvent('a', 2, { type: 'directory.contact.merged' }),
      contactEvent('a', 3),
    );
    await waitUntil(() => applied.length === 2, { what: 'the two it handles' });
    expect(applied).toEqual(['a 1', 'a 3']);
  });

  it('a follower follows each noun of an aggregate on its own', async () => {
    const noted: string[] = [];
    const note = async (_message: unknown, { type, aggregateSequence }: Event) =>
      void noted.push(`${type} ${aggregateSequence}`);
    const handlers = { 'directory.contact.updated': note, 'directory.employee.updated': note };
    await fixture.follow({ handlers, gapWaitMs: MINUTE_MS });
    const contact = { type: 'directory.contact.updated' };
    const employee = { type: 'directory.employee.updated' };
    await fixture.publish(
      contactEvent('a', 1, contact),
      contactEvent('a', 1, employee),
      contactEvent('a', 2, employee),
    );
    await waitUntil(() => noted.length === 3, { what: 'three events' });
    expect(noted.toSorted()).toEqual([
      'directory.contact.updated 1',
      'directory.employee.updated 1',
      'directory.employee.updated 2',
    ]);
  });

  it('a follower drops what is not an event, and continues', async () => {
    const { applied, backgroundWork } = await fixture.follow();
    await fixture.broker.jetstream.publish(fixture.broker.eventSubject(contactEvent('a', 1)), 'hello');
    await fixture.publish(contactEvent('a', 1));
    await waitUntil(() => applied.length === 1, { what: 'the event' });
    await settled(backgroundWork);
    expect(fixture.lines.some((line) => line.includes('not an event'))).toBe(true);
  });

  it('a follower continues the trace an event came with', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await fixture.follow();
    await fixture.publish(contactEvent('a', 1, { traceparent }));
    await waitUntil(() => fixture.spans().length === 1, { what: 'the span' });
    expect(fixture.spans()[0]).toMatchObject({
      name: 'test-contacts directory.contact.created',
      parentSpanContext: { spanId: 'b7ad6b7169203331' },
    });
  });

  it('a follower counts events to be applied as background work', async () => {
    let release = () => {};
    const { backgroundWork } = await fixture.follow({
      onEvent: () => new Promise<void>((resolve) => (release = resolve)),
    });
    await fixture.publish(contactEvent('a', 1));
    await waitUntil(async () => (await backgroundWork.report()).busy > 0, { what: 'the follower to be busy' });
    await waitUntil(async () => (release(), (await backgroundWork.report()).busy === 0), { what: 'it to be done' });
  });
});

describe('an event that fails', () => {
  it('an event that fails is tried again, and those behind it wait although it takes long', async () => {
    let failures = 0;
    let broken = true;
    const { applied } = await fixture.follow({
      gapWaitMs: 50,
      retryDelayMs: () => 100,
      onEvent: ({ aggregateId, aggregateSequence }) => {
        if (aggregateId !== 'a' || aggregateSequence !== 1 || !broken) return;
        failures++;
        throw new Error('not yet');
      },
    });
    await fixture.publish(contactEvent('a', 1));
    await waitUntil(() => failures > 0, { what: 'the first failure' });
    await fixture.publish(contactEvent('a', 2), contactEvent('b', 1), contactEvent('a', 3));
    await waitUntil(() => applied.includes('b 1') && failures > 3, { what: 'the other aggregate, and retries' });
    broken = false;
    await waitUntil(() => applied.length === 4, { what: 'all of them' });
    expect(applied).toEqual(['b 1', 'a 1', 'a 2', 'a 3']);
  });

  it('an event that fails becomes a dead letter after its last try, and the next one is applied', async () => {
    let tries = 0;
    const { applied, follower } = await fixture.follow({
      triesMax: 3,
      onEvent: ({ aggregateSequence }) => {
        if (aggregateSequence !== 1) return;
        tries++;
        throw new TypeError('the contact pk_0123456789abcdef0123 is poison');
      },
    });
    const poison = contactEvent('a', 1);
    await fixture.publish(poison, contactEvent('a', 2));
    await waitUntil(() => applied.length === 1, { what: 'the next one' });
    expect(tries).toBe(3);
    expect(applied).toEqual(['a 2']);
    expect(await follower.deadLetters.list(10)).toEqual([
      {
        eventId: poison.id,
        type: 'directory.contact.created',
        reason: 'TypeError: the contact [redacted] is poison',
        at: expect.any(Date),
      },
    ]);
    await fixture.publish(poison);
    await fixture.publish(contactEvent('a', 3));
    await waitUntil(() => applied.length === 2, { what: 'the one after' });
    expect(tries).toBe(3);
  });

  it('an event that fails is tried as often as any other although it waited behind a failing one', async () => {
    const tries: Record<number, number> = {};
    const { applied } = await fixture.follow({
      triesMax: 4,
      onEvent: ({ aggregateSequence }) => {
        tries[aggregateSequence] = (tries[aggregateSequence] ?? 0) + 1;
        if (aggregateSequence === 1 || (tries[aggregateSequence] ?? 0) < 3) throw new Error('no');
      },
    });
    await fixture.publish(contactEvent('a', 1), contactEvent('a', 2));
    await waitUntil(() => applied.length === 1, { what: 'the second' });
    expect(tries).toEqual({ 1: 4, 2: 3 });
  });
});

describe('a dead letter', () => {
  it('a dead letter can be replayed, and is kept while that fails', async () => {
    let broken = true;
    const { applied, follower } = await fixture.follow({
      triesMax: 1,
      onEvent: () => {
        if (broken) throw new Error('broken');
      },
    });
    const event = contactEvent('a', 1);
    await fixture.publish(event);
    await waitUntil(async () => (await follower.deadLetters.list(1)).length === 1, { what: 'the dead letter' });
    await expect(follower.deadLetters.replay(event.id)).rejects.toThrow('broken');
    expect(await follower.deadLetters.list(10)).toHaveLength(1);
    broken = false;
    expect(await follower.deadLetters.replay(event.id)).toBe(true);
    expect(applied).toEqual(['a 1']);
    expect(await follower.deadLetters.list(10)).toEqual([]);
    expect(await follower.deadLetters.replay(event.id)).toBe(false);
  });

  it('a dead letter is not thrown away by a follower that does not handle it any more', async () => {
    const first = await fixture.follow({ triesMax: 1, onEvent: () => Promise.reject(new Error('no')) });
    const event = contactEvent('a', 1);
    await fixture.publish(event);
    await waitUntil(async () => (await first.follower.deadLetters.list(1)).length === 1, { what: 'the dead letter' });
    await first.follower.stop();
    const second = await fixture.follow({ handlers: { 'directory.contact.deleted': async () => undefined } });
    await expect(second.follower.deadLetters.replay(event.id)).rejects.toThrow('does not handle');
    expect(await second.follower.deadLetters.list(10)).toHaveLength(1);
  });
});

describe('replicas of a follower', () => {
  it('replicas of a follower share the work: each event is applied by one, in order', async () => {
    const all: string[] = [];
    const onEvent = async (event: Event) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
      all.push(`${event.aggregateId} ${event.aggregateSequence}`);
    };
    const replicas = [await fixture.follow({ onEvent }), await fixture.follow({ onEvent })];
    await waitUntil(() => fixture.hasReaders(2), { what: 'partitions of both' });
    const aggregates = numbers(25).map((n) => `c${n}`);
    for (const sequence of numbers(8)) await fixture.publish(...aggregates.map((id) => contactEvent(id, sequence)));
    await waitUntil(() => all.length >= 200, { what: 'all events' });
    for (const { backgroundWork } of replicas) await settled(backgroundWork);
    expect(byAggregate(all)).toEqual(Object.fromEntries(aggregates.map((id) => [id, numbers(8)])));
    for (const { applied } of replicas) expect(applied.length).toBeGreaterThan(0);
  });

  it('replicas of a follower do not touch what another is still applying, however long it takes', async () => {
    let begun = 0;
    const onEvent = async () => {
      begun++;
      await new Promise((resolve) => setTimeout(resolve, 1500));
    };
    const replicas = [await fixture.follow({ onEvent }), await fixture.follow({ onEvent })];
    await fixture.publish(contactEvent('a', 1));
    await waitUntil(() => replicas.some(({ applied }) => applied.length === 1), { what: 'the slow work' });
    for (const { backgroundWork } of replicas) await settled(backgroundWork);
    expect(begun).toBe(1);
  });

  it('replicas of a follower take over what a crashed one had not applied', async () => {
    const mortal = await fixture.connect();
    const afterDeath = Promise.withResolvers<void>();
    const dying = await fixture.follow({ broker: mortal, onEvent: () => afterDeath.promise });
    await fixture.publish(contactEvent('a', 1));
    await waitUntil(async () => (await dying.backgroundWork.report()).busy > 0, {
      what: 'the event to be in progress',
    });
    const { applied } = await fixture.follow();
    await mortal.connection.close();
    await waitUntil(() => applied.length === 1, { what: 'the takeover' });
    afterDeath.resolve();
  });
});

describe('stopping a follower', () => {
  it('stopping a follower finishes started events, and leaves the rest to the next start', async () => {
    const begun = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const first = await fixture.follow({
      onEvent: async () => {
        begun.resolve();
        await release.promise;
      },
    });
    await fixture.publish(contactEvent('a', 1));
    await begun.promise;
    await fixture.publish(contactEvent('a', 2));
    const stopping = first.follower.stop();
    await fixture.publish(contactEvent('b', 1));
    release.resolve();
    await stopping;
    expect(first.applied).toEqual(['a 1']);
    const second = await fixture.follow();
    await waitUntil(() => second.applied.length === 2, { what: 'the rest' });
    expect(byAggregate(second.applied)).toEqual({ a: [2], b: [1] });
  });

  it('stopping a follower accepts nothing afterwards', async () => {
    const { follower, applied } = await fixture.follow();
    await follower.stop();
    await fixture.publish(contactEvent('a', 1));
    const again = await fixture.follow();
    await waitUntil(() => again.applied.length === 1, { what: 'the next follower' });
    expect(applied).toEqual([]);
  });
});
