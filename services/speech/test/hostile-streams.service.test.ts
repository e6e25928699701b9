import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit';
import { audio, listenToCall, packets, pcmOfWav, recognizedIn, silence, start, taken } from './calls.ts';
import { childProcesses } from './child-processes.ts';
import { recordedSpeech, RECORDED_WORDS } from './spoken/telephone.ts';
import { startSpeech, type TestSpeech, TIME_LIMIT_MS } from './start-speech.ts';
import { wordErrorRate } from './word-error-rate.ts';

const longTimeout = { timeoutMs: TIME_LIMIT_MS };

let speechFault = 'ok';
const sandbox = createServer((_request, response) => {
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify({ speech: speechFault }));
});
let service: TestSpeech;
let speech: TestSpeech['speech'];
let person: Uint8Array;
beforeAll(async () => {
  await new Promise<void>((resolve) => sandbox.listen(0, '127.0.0.1', resolve));
  const SANDBOX_URL = `http://127.0.0.1:${(sandbox.address() as AddressInfo).port}`;
  service = await startSpeech({ LISTENING_MAX: '4', WORKER_IDLE_SECS: '2', SANDBOX_URL });
  speech = service.as('assistant');
  person = pcmOfWav(await recordedSpeech());
}, TIME_LIMIT_MS);
afterAll(async () => {
  await service.stop();
  sandbox.close();
});

type Sent = ReturnType<typeof start>;

async function* messages(...sent: readonly Sent[]): AsyncGenerator<Sent> {
  yield* sent;
}

/** A stream that stays open until it is ended. */
function openStream(companyId: string, more: Uint8Array = silence(0)) {
  const end = new AbortController();
  const closed = Promise.withResolvers<void>();
  async function* requests() {
    yield start('en', companyId);
    yield* packets(more);
    await closed.promise;
  }
  const events = speech.listen(requests(), { ...longTimeout, signal: end.signal });
  return {
    events,
    ready: async () => (await events[Symbol.asyncIterator]().next()).value?.response.case,
    cancel: () => end.abort(),
    close: () => closed.resolve(),
  };
}

const processes = async () =>
  (await Promise.all(['silero-main', 'moonshine-call-main'].map((name) => childProcesses(name)))).flat();

describe('a stream of messages', () => {
  it.each<[string, Sent[]]>([
    ['audio before its start', [audio(silence(20))]],
    ['words taken before its start', [taken(100)]],
    ['a second start', [start(), start()]],
    ['nothing in a message', [start(), {}]],
    ['nothing in its first message', [{}]],
    ['half a sample', [start(), audio(silence(20).subarray(1))]],
    ['more than a second of audio at once', [start(), audio(silence(1001))]],
    ['a megabyte at once', [start(), audio(Buffer.alloc(1 << 20))]],
    ['words taken before the audio', [start(), taken(-1)]],
  ])('a stream of messages is refused for %s', async (_title, sent) => {
    await expect(Array.fromAsync(speech.listen(messages(...sent), longTimeout))).rejects.toMatchObject({
      refusal: { code: 'validation_failed' },
    });
  });

  it('a stream of messages may be empty', async () => {
    expect(await Array.fromAsync(speech.listen(messages(), longTimeout))).toEqual([]);
  });

  it('a stream of messages is only taken from a service that speaks with callers', async () => {
    for (const peer of ['call-control', 'numbers-routing', 'sandbox', 'gateway']) {
      const other = service.as(peer);
      const forbidden = { refusal: { code: 'forbidden' } };
      await expect(Array.fromAsync(other.listen(messages(start())))).rejects.toMatchObject(forbidden);
      await expect(Array.fromAsync(other.synthesizeStream({ text: 'Hello.' }))).rejects.toMatchObject(forbidden);
    }
  });

  it(
    'a stream of messages with any bytes as audio has no words',
    async () => {
      let seed = 1;
      const bytes = Uint8Array.from({ length: 16_000 * 4 }, () => (seed = (seed * 48_271) % 2_147_483_647) & 0xff);
      const empty = Array.from({ length: 50 }, () => audio(silence(0)));
      const events = await Array.fromAsync(
        speech.listen(messages(start(), ...empty, ...packets(bytes), taken(2 ** 31 - 1), ...empty), longTimeout),
      );
      expect(recognizedIn(events).filter(({ text }) => text !== '')).toEqual([]);
    },
    TIME_LIMIT_MS,
  );

  it(
    'a stream of messages is refused when there are as many as may be, and one company has half of them at most',
    async () => {
      const open = [openStream('com_a'), openStream('com_a'), openStream('com_b')];
      for (const { ready } of open) expect(await ready()).toBe('ready');
      const refused = { refusal: { code: 'rate_limited' } };
      await expect(openStream('com_a').ready()).rejects.toMatchObject(refused);
      open.push(openStream('com_c'));
      expect(await open[3]!.ready()).toBe('ready');
      await expect(openStream('com_d').ready()).rejects.toMatchObject(refused);
      open[0]!.cancel();
      const again = await waitUntil(
        async () => {
          const stream = openStream('com_d');
          return (await stream.ready().catch(() => undefined)) && stream;
        },
        { what: 'a free place' },
      );
      for (const { cancel } of [...open, again]) cancel();
    },
    TIME_LIMIT_MS,
  );
});

describe('the engines of calls', () => {
  it(
    'the engines of calls are kept while a stream is open, and end after the last one',
    async () => {
      await waitUntil(async () => (await processes()).length === 0, { what: 'the idle engines to end' });
      const stream = openStream('com_a');
      expect(await stream.ready()).toBe('ready');
      const loaded = await processes();
      expect(loaded).toHaveLength(2);
      // Longer than an engine without work is kept.
      await new Promise((resolve) => setTimeout(resolve, 3000));
      expect(await processes()).toEqual(loaded);
      stream.close();
      await waitUntil(async () => (await processes()).length === 0, { what: 'the engines to end' });
    },
    TIME_LIMIT_MS,
  );

  it(
    'the engines of calls are loaded before the first caller where callers are expected',
    async () => {
      await waitUntil(async () => (await processes()).length === 0, { what: 'the idle engines to end' });
      await speech.expectCallers({ languages: ['en'] });
      const loaded = await waitUntil(
        async () => {
          const found = await processes();
          return found.length === 2 && found;
        },
        { what: 'the engines', timeoutMs: TIME_LIMIT_MS },
      );
      const stream = openStream('com_a');
      expect(await stream.ready()).toBe('ready');
      stream.close();
      // Longer than an engine without work is kept.
      await new Promise((resolve) => setTimeout(resolve, 3000));
      expect(await processes()).toEqual(loaded);
      await speech.expectCallers({ languages: [] });
      await waitUntil(async () => (await processes()).length === 0, { what: 'the engines to end' });
    },
    TIME_LIMIT_MS,
  );

  it.each(['silero-main', 'moonshine-call-main'])(
    'the engines of calls are started again when %s is killed, without a loss of words',
    async (name) => {
      const killed = Promise.withResolvers<void>();
      async function* requests() {
        yield start();
        yield* packets(person.subarray(0, person.length / 2));
        const [pid] = await waitUntil(
          async () => {
            const pids = await childProcesses(name);
            return pids.length > 0 ? pids : undefined;
          },
          { what: 'the engine', timeoutMs: TIME_LIMIT_MS },
        );
        process.kill(pid!, 'SIGKILL');
        killed.resolve();
        yield* packets(person.subarray(person.length / 2));
      }
      const events = await Array.fromAsync(speech.listen(requests(), longTimeout));
      await killed.promise;
      expect(wordErrorRate(RECORDED_WORDS, recognizedIn(events).at(-1)!.text)).toBeLessThanOrEqual(0.15);
    },
    TIME_LIMIT_MS,
  );

  it(
    'the engines of calls are free for others when a stream is cancelled while it is recognised',
    async () => {
      const stream = openStream('com_a', Buffer.concat([person, silence(400)]));
      for await (const { response } of stream.events) {
        if (response.case === 'paused') break;
      }
      stream.cancel();
      const heard = await listenToCall(speech, person, { ...longTimeout, companyId: 'com_b' });
      expect(wordErrorRate(RECORDED_WORDS, recognizedIn(heard).at(-1)!.text)).toBeLessThanOrEqual(0.15);
    },
    TIME_LIMIT_MS,
  );

  it(
    'the engines of calls end with a refusal when their models cannot be loaded',
    async () => {
      const without = await startSpeech({ MODELS_DIR: '/dev/null/models' });
      const events = Array.fromAsync(without.as('assistant').listen(messages(start()), longTimeout));
      await expect(events).rejects.toMatchObject({ refusal: { code: 'speech_failed' } });
      await without.stop();
    },
    TIME_LIMIT_MS,
  );
});

describe("the sandbox's fault", () => {
  const failed = { refusal: { code: 'speech_failed' } };

  it(
    "the sandbox's fault ends streams at their start, and one that is open with its next words",
    async () => {
      const goOn = Promise.withResolvers<void>();
      async function* requests() {
        yield start();
        await goOn.promise;
        yield* packets(person);
      }
      const events = speech.listen(requests(), longTimeout)[Symbol.asyncIterator]();
      expect((await events.next()).value?.response.case).toBe('ready');
      speechFault = 'fail';
      try {
        await expect(Array.fromAsync(speech.listen(messages(start()), longTimeout))).rejects.toMatchObject(failed);
        const spoken = Array.fromAsync(speech.synthesizeStream({ text: 'Hello.', language: 'en' }, longTimeout));
        await expect(spoken).rejects.toMatchObject(failed);
        goOn.resolve();
        const rest = async () => {
          while (!(await events.next()).done);
        };
        await expect(rest()).rejects.toMatchObject(failed);
      } finally {
        speechFault = 'ok';
      }
    },
    TIME_LIMIT_MS,
  );
});
