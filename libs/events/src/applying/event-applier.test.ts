import { setTimeout as sleep } from 'node:timers/promises';
import { trackBackgroundWork } from '@parley/clock';
import { startTelemetry, type Telemetry } from '@parley/telemetry';
import { waitUntil } from '@parley/testkit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { contactEvent } from '../../test/start-follower.ts';
import { type EventApplier, startEventApplier } from './event-applier.ts';
import { type ProgressChange, NOTHING_APPLIED, type Position } from './positions-store.ts';

const PARTITION = 3;

let telemetry: Telemetry;
let applier: EventApplier;
let saved: ProgressChange[];
/** The keys of each read of positions. */
let read: string[][];
let toleratesReplay: boolean;
/** The position that a read finds. */
let stored: Position;
/** The start positions of repeated reads of the stream. */
let readFrom: number[];
let handle: () => Promise<void>;
let tries: number;
/** What every save waits for. */
let saving: Promise<void>;
let backgroundWork: ReturnType<typeof trackBackgroundWork>;
let appliedEvents: number;
const SPACING_MS = 50;

beforeEach(async () => {
  saved = [];
  read = [];
  toleratesReplay = false;
  stored = NOTHING_APPLIED;
  saving = Promise.resolve();
  readFrom = [];
  tries = 0;
  appliedEvents = 0;
  backgroundWork = trackBackgroundWork();
  telemetry = startTelemetry({
    service: 'test',
    version: '0',
    logLevel: 'error',
    logDestination: { write: () => undefined },
  });
  applier = startEventApplier({
    follower: 'test',
    positions: {
      async read(keys) {
        if (keys.length > 0) read.push([...keys]);
        return (key) => {
          const position = keys.includes(key) ? stored : NOTHING_APPLIED;
          return { position, failing: undefined, behind: undefined, known: false };
        };
      },
      async save(change) {
        await saving;
        saved.push(change);
      },
      behind: async () => [],
      stop: async () => undefined,
    },
    deadLetters: { add: async () => undefined },
    backgroundWork,
    log: telemetry.log,
    apply: () => {
      tries += 1;
      return handle();
    },
    batchPer: 'event',
    toleratesReplay: () => toleratesReplay,
    triesMax: 20,
    retryDelayMs: () => 0,
    gapWaitMs: 0,
    batching: { spacingMs: SPACING_MS },
    onApplied: () => void (appliedEvents += 1),
    streamCreated: () => 'now',
    async *readEventPages({ from }) {
      readFrom.push(from);
      yield { events: [], upTo: from, isLast: false };
    },
  });
  await applier.add([PARTITION]);
});
afterEach(async () => {
  applier.stop();
  await telemetry.stop();
});

const accept = (sequence: number) =>
  applier.accept({
    event: contactEvent('a', sequence),
    service: 'directory',
    partition: PARTITION,
    streamSequence: sequence,
    bytes: 100,
    publishedAt: new Date(),
    done: () => undefined,
  });

/** A handler that is being tried and fails on request. */
async function failingHandler(): Promise<() => void> {
  const failure = Promise.withResolvers<void>();
  handle = () => failure.promise;
  accept(1);
  accept(2);
  await waitUntil(() => tries === 1, { what: 'the first try' });
  return () => failure.reject(new Error('not yet'));
}

describe('a handler that fails', () => {
  it('a handler that fails leaves the events of its aggregate to the catch-up', async () => {
    const fail = await failingHandler();
    fail();
    await waitUntil(() => readFrom.length > 0, { what: 'the catch-up' });
    expect(readFrom[0]).toBe(1);
    expect(saved.at(-1)?.behind?.from).toBeGreaterThanOrEqual(1);
  });

  it('a handler that fails after its partition was handed over leaves nothing to catch up here', async () => {
    const fail = await failingHandler();
    const dropped = applier.drop([]);
    fail();
    await dropped;
    expect(applier.behind()).toBe(0);
    expect(saved).toEqual([]);
  });

  it('a handler that fails after reading was restarted waits until its events are read again', async () => {
    const fail = await failingHandler();
    applier.discard('directory', [PARTITION]);
    fail();
    await waitUntil(async () => (await backgroundWork.report()).busy === 0, { what: 'the end of the try' });
    expect(applier.behind()).toBe(0);
    handle = async () => undefined;
    accept(1);
    accept(2);
    await waitUntil(() => saved.at(-1)?.position.sequence === 2, { what: 'both events' });
    expect(readFrom.every(Number.isFinite)).toBe(true);
    expect(tries).toBe(3);
  });
});

describe('events in memory', () => {
  it('events in memory stay when another stream, or another partition, starts over', async () => {
    const fail = await failingHandler();
    applier.discard('identity', [PARTITION]);
    applier.discard('directory', [PARTITION + 1]);
    expect(applier.waiting()).toBe(2);
    applier.discard('directory', [PARTITION]);
    expect(applier.waiting()).toBe(0);
    fail();
  });
});

describe('a handler that tolerates a replay', () => {
  beforeEach(() => {
    toleratesReplay = true;
    handle = async () => undefined;
  });

  it('a handler that tolerates a replay gets the first events of an aggregate without a read', async () => {
    accept(1);
    await waitUntil(() => saved.length === 1, { what: 'the first position' });
    accept(2);
    accept(3);
    await waitUntil(() => saved.at(-1)?.position.sequence === 3, { what: 'the others' });
    expect(read).toEqual([]);
    expect(saved.every(({ isUnread }) => isUnread)).toBe(true);
    expect(tries).toBe(3);
  });

  it('a handler that tolerates a replay gets the first events without a read if they arrive together', async () => {
    accept(1);
    accept(2);
    await waitUntil(() => saved.at(-1)?.position.sequence === 2, { what: 'their position' });
    expect(read).toEqual([]);
  });

  it('a handler that tolerates a replay gets an event behind a gap after a read: those between may have been applied elsewhere', async () => {
    stored = { sequence: 2, ahead: [] };
    accept(1);
    await waitUntil(() => saved.length === 1, { what: 'the first position' });
    accept(3);
    await waitUntil(() => saved.at(-1)?.position.sequence === 3, { what: 'the other' });
    expect(read).toEqual([['a:contact']]);
    expect(saved.at(-1)?.isUnread).toBe(false);
    expect(tries).toBe(2);
  });

  it('a handler that tolerates a replay gets no later event without a read that it might not tolerate again', async () => {
    accept(1);
    await waitUntil(() => saved.length === 1, { what: 'the first position' });
    toleratesReplay = false;
    accept(2);
    await waitUntil(() => saved.at(-1)?.position.sequence === 2, { what: 'the second' });
    expect(read).toEqual([['a:contact']]);
  });

  it('a handler that tolerates a replay does not get a later event again that was applied before, once the position is read', async () => {
    stored = { sequence: 3, ahead: [] };
    accept(1);
    await waitUntil(() => saved.length === 1, { what: 'the first position' });
    toleratesReplay = false;
    accept(2);
    accept(3);
    accept(4);
    await waitUntil(() => saved.at(-1)?.position.sequence === 4, { what: 'the last one' });
    expect(tries).toBe(2);
  });

  it('a handler that tolerates a replay gets no first event without a read that it might not tolerate again', async () => {
    toleratesReplay = false;
    accept(1);
    await waitUntil(() => saved.length === 1, { what: 'the position' });
    expect(read).toEqual([['a:contact']]);
    expect(saved).toMatchObject([{ isUnread: false }]);
  });

  it('a handler that tolerates a replay gets the next event before the position of the last one is saved, and a handover waits for both', async () => {
    const save = Promise.withResolvers<void>();
    saving = save.promise;
    accept(1);
    accept(2);
    await waitUntil(() => tries === 2, { what: 'both events' });
    expect(appliedEvents).toBe(2);
    let isDropped = false;
    const dropped = applier.drop([]).then(() => (isDropped = true));
    await sleep(20);
    expect(isDropped).toBe(false);
    save.resolve();
    await dropped;
    expect(saved.at(-1)?.position.sequence).toBe(2);
  });
});

describe('events that arrive one by one', () => {
  it('events that arrive one by one are applied together if the last one was applied a moment ago', async () => {
    handle = async () => {
      if (tries > 1) return;
      accept(2);
      setImmediate(() => accept(3));
    };
    accept(1);
    await waitUntil(() => saved.at(-1)?.position.sequence === 3, { what: 'their position' });
    expect(saved.map(({ position }) => position.sequence)).toEqual([1, 3]);
  });
});
