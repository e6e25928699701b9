import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit';
import { PRIORITY } from '../workers/serve-jobs.ts';
import { WorkerLost } from '../workers/worker.ts';
import { type ListenEvent, type ListenMessage, type ListenOptions, listenTo } from './listening-stream.ts';
import { FRAME_SAMPLES, LEAD_SAMPLES, type VoiceJob } from './voice-detector.ts';

const MS = 8;

/** Samples of one value: its size is the word that is said, 0 is silence. */
const sound = (word: number, ms: number) => new Int16Array(ms * MS).fill(word);

/** Audio in messages of 20 ms, as a telephone sends it. */
function* audio(...parts: Int16Array[]): Generator<ListenMessage> {
  const whole = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.length;
  }
  for (let at = 0; at < whole.length; at += 20 * MS) yield { kind: 'audio', samples: whole.slice(at, at + 20 * MS) };
}

const taken = (untilMs: number): ListenMessage => ({ kind: 'taken', untilMs });

/** A voice is any sound. */
const detect: ListenOptions['detect'] = async ({ samples }: VoiceJob) => {
  const probabilities = Float32Array.from({ length: (samples.length - LEAD_SAMPLES) / FRAME_SAMPLES }, (_, i) =>
    samples[LEAD_SAMPLES + (i + 0.5) * FRAME_SAMPLES] === 0 ? 0 : 1,
  );
  return { probabilities, memory: new Float32Array() };
};

/** The words are the sounds. */
const recognize: ListenOptions['recognize'] = async (samples) => {
  const heard = samples.filter((word, i) => word !== 0 && word !== samples[i - 1]);
  return { text: heard.join(' '), confidence: 0.9 };
};

const forever: ListenOptions['context'] = {
  signal: new AbortController().signal,
  companyId: 'com_a',
  priority: PRIORITY.background,
};

const usual: ListenOptions = {
  context: forever,
  ready: Promise.resolve(),
  detect,
  recognize,
  onRecognized: () => undefined,
};

async function* stream(...messages: (ListenMessage | Iterable<ListenMessage>)[]): AsyncGenerator<ListenMessage> {
  for (const message of messages) {
    if ('kind' in message) yield message;
    else yield* message;
  }
}

const listen = (messages: AsyncIterable<ListenMessage>, options: Partial<ListenOptions> = {}) =>
  listenTo(messages, { ...usual, ...options });

const short = (event: ListenEvent) => {
  if (event.kind === 'ready') return 'ready';
  if (event.kind === 'recognized') return `${event.startMs}-${event.endMs} ${event.text}`;
  return `${event.kind} ${event.atMs}`;
};

const events = (messages: AsyncIterable<ListenMessage>, options: Partial<ListenOptions> = {}) =>
  Array.fromAsync(listen(messages, options), short);

describe('a stream that is listened to', () => {
  it('a stream that is listened to says when a voice began and paused, and then what it said', async () => {
    expect(await events(stream(audio(sound(0, 640), sound(7, 960), sound(0, 800))))).toEqual([
      'ready',
      'began 640',
      'paused 1600',
      '640-1600 7',
    ]);
  });

  it('a stream that is listened to says with each pause all that was said until then', async () => {
    const heard = await events(
      stream(audio(sound(1, 640), sound(0, 320), sound(2, 640), sound(0, 320), sound(3, 320), sound(0, 320))),
    );
    expect(heard.filter((event) => /^\d/.test(event))).toEqual(['0-640 1', '0-1600 1 2', '0-2240 1 2 3']);
  });

  it('a stream that is listened to goes on after what was taken', async () => {
    const heard = await events(
      stream(
        audio(sound(1, 640), sound(0, 320)),
        taken(640),
        audio(sound(2, 640), sound(0, 320)),
        taken(99_999),
        audio(sound(0, 640), sound(3, 640), sound(0, 320)),
      ),
    );
    expect(heard.filter((event) => /^\d/.test(event))).toEqual(['0-640 1', '960-1600 2', '2560-3200 3']);
  });

  it('a stream that is listened to says again what is left of words that were taken in part', async () => {
    const sent = Promise.withResolvers<void>();
    async function* messages() {
      yield* audio(sound(1, 640), sound(0, 320), sound(2, 640), sound(0, 320));
      await sent.promise;
      yield taken(640);
    }
    const heard: string[] = [];
    for await (const event of listen(messages())) {
      heard.push(short(event));
      if (short(event) === '0-1600 1 2') sent.resolve();
    }
    expect(heard.slice(-2)).toEqual(['0-1600 1 2', '960-1600 2']);
  });

  it('a stream that is listened to says nothing again when nothing of it was taken', async () => {
    const heard = await events(stream(audio(sound(0, 640), sound(1, 640), sound(0, 320)), taken(640), taken(0)));
    expect(heard.filter((event) => /^\d/.test(event))).toEqual(['640-1280 1']);
  });

  it('a stream that is listened to does not say what was taken before it was recognised', async () => {
    const messages = stream(audio(sound(1, 640), sound(0, 320)), taken(960), audio(sound(0, 640)));
    expect(await events(messages, { recognize: () => new Promise(() => {}) })).toEqual([
      'ready',
      'began 0',
      'paused 640',
    ]);
  });

  it('a stream that is listened to says only the newest of what is recognised slowly', async () => {
    const cancelled: boolean[] = [];
    const answers = Promise.withResolvers<void>();
    const messages = stream(audio(sound(1, 640), sound(0, 320), sound(2, 640), sound(0, 320)));
    const heard = await events(messages, {
      recognize: async (samples, context) => {
        const index = cancelled.push(false) - 1;
        context.signal.addEventListener('abort', () => (cancelled[index] = true));
        if (index === 1) answers.resolve();
        await answers.promise;
        return recognize(samples, context);
      },
    });
    expect(heard.filter((event) => /^\d/.test(event))).toEqual(['0-1600 1 2']);
    expect(cancelled[0]).toBe(true);
  });

  it('a stream that is listened to pauses where it ends, in the middle of a word and of a frame', async () => {
    expect(await events(stream(audio(sound(5, 660))))).toEqual(['ready', 'began 0', 'paused 672', '0-672 5']);
  });

  it('a stream that is listened to may have nothing to say, or nothing at all', async () => {
    expect(await events(stream(audio(sound(0, 2000))))).toEqual(['ready']);
    expect(await events(stream())).toEqual(['ready']);
    expect(await events(stream({ kind: 'audio', samples: new Int16Array() }))).toEqual(['ready']);
  });

  it('a stream that is listened to has all words of a minute without a pause, in parts that the recogniser can hear', async () => {
    const seconds = Array.from({ length: 70 }, (_, i) => sound(i % 10 === 9 ? 1 : 100 + i, 1000));
    const lengths: number[] = [];
    const heard = await events(stream(audio(...seconds, sound(0, 400))), {
      recognize: async (samples, context) => {
        lengths.push(samples.length / MS / 1000);
        return recognize(samples, context);
      },
    });
    expect(heard.filter((event) => /^(began|paused)/.test(event))).toEqual(['began 0', 'paused 69984']);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(28.4);
    expect(lengths.length).toBeLessThanOrEqual(4);
    const words = heard.at(-1)!.split(' ').slice(1);
    // A second in which it is cut is in both parts.
    expect([...new Set(words)]).toEqual([...new Set(seconds.map((second) => String(second[0])))]);
  });

  it('a stream that is listened to recognises only its last part again with each pause', async () => {
    let longest = 0;
    const minutes = (function* () {
      for (let i = 0; i < 200; i += 1) yield* audio(sound(1, 640), sound(0, 320));
    })();
    await events(stream(minutes), {
      recognize: async (samples, context) => {
        longest = Math.max(longest, samples.length / MS);
        return recognize(samples, context);
      },
    });
    expect(longest).toBeLessThan(14_000);
  });

  it('a stream that is listened to repeats a detection that was lost with its worker, once', async () => {
    let losses = 0;
    const losing =
      (count: number): ListenOptions['detect'] =>
      async (job, context) => {
        if ((losses += 1) <= count) throw new WorkerLost('SIGKILL');
        return detect(job, context);
      };
    expect(await events(stream(audio(sound(1, 320))), { detect: losing(1) })).toContain('0-320 1');
    losses = 0;
    await expect(events(stream(audio(sound(1, 320))), { detect: losing(2) })).rejects.toThrow('SIGKILL');
  });

  it('a stream that is listened to fails with its recogniser', async () => {
    const broken = async () => {
      throw new Error('no model');
    };
    await expect(events(stream(audio(sound(1, 640), sound(0, 320))), { recognize: broken })).rejects.toThrow(
      'no model',
    );
    await expect(events(stream(), { ready: broken() })).rejects.toThrow('no model');
  });

  it('a stream that is listened to fails with its messages', async () => {
    async function* messages(): AsyncGenerator<ListenMessage> {
      yield* audio(sound(1, 640));
      throw new Error('odd bytes');
    }
    await expect(events(messages())).rejects.toThrow('odd bytes');
  });

  it('a stream that is listened to ends at once with its caller, and its work with it', async () => {
    const caller = new AbortController();
    let work: AbortSignal | undefined;
    async function* messages() {
      yield* audio(sound(1, 640), sound(0, 320));
      await new Promise(() => {});
    }
    const reading = events(messages(), {
      context: { ...forever, signal: caller.signal },
      recognize: (_samples, { signal }) => {
        work = signal;
        return new Promise(() => {});
      },
    });
    await waitUntil(() => work, { what: 'the recognition' });
    caller.abort(new Error('hung up'));
    await expect(reading).rejects.toThrow('hung up');
    expect(work?.aborted).toBe(true);
  });

  it('a stream that is listened to cancels its work when the reader leaves', async () => {
    let work: AbortSignal | undefined;
    const reading = listen(stream(audio(sound(1, 640), sound(0, 320))), {
      recognize: (_samples, { signal }) => {
        work = signal;
        return new Promise(() => {});
      },
    });
    for await (const event of reading) if (event.kind === 'paused') break;
    expect(work?.aborted ?? true).toBe(true);
  });

  it('a stream that is listened to ends when nobody reads what it says', async () => {
    let left = false;
    async function* messages() {
      try {
        for (;;) {
          await new Promise((resolve) => setImmediate(resolve));
          yield* audio(sound(1, 64), sound(0, 224));
        }
      } finally {
        left = true;
      }
    }
    const reading = listen(messages());
    expect((await reading.next()).value).toEqual({ kind: 'ready' });
    await waitUntil(() => left, { what: 'the end of the messages' });
    await expect(Array.fromAsync(reading)).rejects.toThrow('nobody reads');
  });
});
