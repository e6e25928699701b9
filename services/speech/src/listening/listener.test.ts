import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { startTelemetry } from '@parley/telemetry';
import { PRIORITY } from '../workers/serve-jobs.ts';
import { createListener } from './listener.ts';

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

const context = { signal: new AbortController().signal, companyId: 'com_a', priority: PRIORITY.call };

/** What is loaded now, and how often loading was asked for. */
function aListener() {
  const loaded = { detectors: 0, streams: {} as Record<string, number>, voices: [] as string[], times: 0 };
  const listener = createListener({
    voiceDetectors: {
      keepLoaded: async (count) => void ((loaded.detectors = count), (loaded.times += 1)),
      run: async () => ({ probabilities: new Float32Array(), memory: new Float32Array() }),
      startLoading: () => true,
      stop: async () => undefined,
    },
    recognizer: {
      knows: (language) => language !== 'tlh',
      keepLoadedFor: async (streams) => void (loaded.streams = Object.fromEntries(streams)),
      recognize: async () => ({ text: '', confidence: 0 }),
    },
    synthesizer: {
      keepLoaded: async (languages) => void (loaded.voices = [...languages]),
      synthesize: async () => ({ samples: new Int16Array(), engine: 'test' }),
      synthesizeParts: () => {
        throw new Error('not used');
      },
    },
    telemetry: startTelemetry({ service: 'test', version: '0', logLevel: 'silent' }),
  });
  return { listener, loaded };
}

const NOTHING = { detectors: 0, streams: {}, voices: [] };
const ONE = { detectors: 1, streams: { '': 1 }, voices: ['en'] };

describe('engines for callers who may come', () => {
  it('engines for callers who may come are loaded, and kept for a minute after they were expected last', () => {
    const { listener, loaded } = aListener();
    expect(loaded).toMatchObject(NOTHING);
    for (let times = 0; times < 20; times += 1) {
      listener.expectCallers(['en']);
      jest.advanceTimersByTime(10_000);
      expect(loaded).toMatchObject(ONE);
    }
    jest.advanceTimersByTime(50_000);
    expect(loaded).toMatchObject(NOTHING);
  });

  it('engines for callers who may come are those of the languages that were named last', () => {
    const { listener, loaded } = aListener();
    listener.expectCallers(['en', 'da']);
    expect(loaded.voices).toEqual(['en', 'da']);
    listener.expectCallers(['da']);
    expect(loaded).toMatchObject({ detectors: 1, voices: ['da'] });
    listener.expectCallers(['tlh']);
    expect(loaded).toMatchObject(NOTHING);
  });

  it('engines for callers who may come are not loaded again with each message', () => {
    const { listener, loaded } = aListener();
    for (let times = 0; times < 6; times += 1) {
      listener.expectCallers(['en']);
      jest.advanceTimersByTime(10_000);
    }
    expect(loaded.times).toBe(2);
  });

  it('engines for callers who may come stay when a stream ends, and those of a stream when nobody is expected', async () => {
    const { listener, loaded } = aListener();
    listener.expectCallers(['en']);
    const hungUp = Promise.withResolvers<void>();
    async function* silent() {
      await hungUp.promise;
      yield* [];
    }
    const events = listener.listen(silent(), 'en', context, async () => undefined);
    await events.next();
    expect(loaded).toMatchObject({ detectors: 1, streams: { com_a: 1 }, voices: ['en'] });
    jest.advanceTimersByTime(70_000);
    expect(loaded).toMatchObject({ detectors: 1, streams: { com_a: 1 }, voices: ['en'] });
    listener.expectCallers(['en']);
    hungUp.resolve();
    expect((await events.next()).done).toBe(true);
    expect(loaded).toMatchObject(ONE);
  });
});
