import { describe, expect, it } from '@jest/globals';
import { Priority } from '@parley/proto/speech/v1/speech_pb';
import type { Channel } from '@parley/rpc';
import { testWav } from '@parley/testkit/service';
import { joinWavs, NoLongerNeeded, speechClient, type SynthesisOrder } from './speech-client.ts';

interface Request {
  readonly text: string;
  readonly companyId: string;
  readonly priority: Priority;
}

/** A speech service that answers when the test lets it. */
function fakeSpeech() {
  const requests: Request[] = [];
  const withdrawn: Request[] = [];
  const waiting: { request: Request; answer: () => void }[] = [];
  const synthesize = async (request: Request, { signal }: { signal: AbortSignal }) => {
    requests.push(request);
    await new Promise<void>((resolve, reject) => {
      waiting.push({ request, answer: resolve });
      signal.addEventListener('abort', () => {
        const index = waiting.findIndex((one) => one.request === request);
        if (index !== -1) withdrawn.push(...waiting.splice(index, 1).map((one) => one.request));
        reject(new Error('withdrawn'));
      });
    });
    return { audio: testWav(2 * request.text.length, 7), contentType: 'audio/wav', durationMs: 10, engine: 'test' };
  };
  const synthesizer = speechClient({ client: () => ({ synthesize }) } as unknown as Channel);
  const finish = async (one = waiting.shift()) => {
    one?.answer();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { requests, withdrawn, synthesizer, finishNext: () => finish(), finishLast: () => finish(waiting.pop()) };
}

const long = { text: `${'One sentence of a long text. '.repeat(60)}`, language: 'en', voice: '' };
const order = (more: Partial<SynthesisOrder> = {}): SynthesisOrder => ({
  companyId: 'com_a',
  priority: 'background',
  ...more,
});

describe('the synthesis of a long text', () => {
  it('the synthesis of a long text ends between two parts once it is no longer needed', async () => {
    const { requests, synthesizer, finishNext } = fakeSpeech();
    let wanted = true;
    const speech = synthesizer.synthesizePrompt(long, order({ isNeeded: async () => wanted }));
    const ended = expect(speech).rejects.toThrow(NoLongerNeeded);
    await finishNext();
    expect(requests).toHaveLength(2);
    wanted = false;
    await finishNext();
    await ended;
    expect(requests).toHaveLength(2);
  });

  it('the synthesis of a long text continues for requests that have joined it, with their company and priority', async () => {
    const { requests, withdrawn, synthesizer, finishNext } = fakeSpeech();
    const background = synthesizer.synthesizePrompt(long, order({ isNeeded: async () => false }));
    const call = synthesizer.synthesizePrompt(long, order({ companyId: 'com_b', priority: 'call' }));
    await finishNext();
    expect(requests[0]).toMatchObject({ companyId: 'com_a', priority: Priority.BACKGROUND });
    expect(requests.at(-1)).toMatchObject({ companyId: 'com_b', priority: Priority.CALL });
    while (requests.length - withdrawn.length < 3) await finishNext();
    await finishNext();
    expect(await background).toBe(await call);
    expect((await call).durationMs).toBe(10 * (requests.length - withdrawn.length));
  });

  it('the synthesis of a text overtakes what waits as soon as somebody more urgent needs it', async () => {
    const { requests, withdrawn, synthesizer, finishLast } = fakeSpeech();
    const short = { text: 'Hello.', language: 'en', voice: '' };
    const orders = [order(), order(), order({ priority: 'interactive' }), order({ priority: 'background' })];
    const results = orders.map((one) => synthesizer.synthesizePrompt(short, one));
    expect(requests.map(({ priority }) => priority)).toEqual([Priority.BACKGROUND, Priority.INTERACTIVE]);
    await finishLast();
    expect(new Set(await Promise.all(results)).size).toBe(1);
    expect(withdrawn).toEqual([requests[0]]);
  });

  it('the synthesis of a text fails only when each request for it has failed', async () => {
    let fail: (error: Error) => void = () => undefined;
    const speech = { audio: testWav(2, 7), contentType: 'audio/wav', durationMs: 10, engine: 'test' };
    const answers = [new Promise<never>((_, reject) => (fail = reject)), Promise.resolve(speech)];
    const synthesizer = speechClient({ client: () => ({ synthesize: () => answers.shift() }) } as unknown as Channel);
    const short = { text: 'Hello.', language: 'en', voice: '' };
    const background = synthesizer.synthesizePrompt(short, order());
    fail(new Error('no voice'));
    await synthesizer.synthesizePrompt(short, order({ priority: 'call' }));
    expect(await background).toEqual(speech);
  });
});

describe('joining WAV files', () => {
  it('joining WAV files gives one file with all samples in order', () => {
    const joined = Buffer.from(joinWavs([testWav(4, 1), testWav(6, 2), testWav(2, 3)]));
    expect([...joined.subarray(44)]).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3]);
    expect(joined.readUInt32LE(4)).toBe(joined.length - 8);
    expect(joined.readUInt32LE(40)).toBe(12);
    expect(joined.subarray(12, 36)).toEqual(Buffer.from(testWav(0, 0)).subarray(12, 36));
  });

  it('joining WAV files passes over chunks that hold no samples', () => {
    const plain = Buffer.from(testWav(4, 7));
    const list = Buffer.from('LIST\x03\0\0\0abc\0', 'latin1');
    const tagged = Buffer.concat([plain.subarray(0, 36), list, plain.subarray(36)]);
    expect(joinWavs([tagged])).toEqual(joinWavs([plain]));
  });

  it('joining WAV files reads a streamed file without a length up to its end', () => {
    const streamed = Buffer.from(testWav(4, 7));
    streamed.writeUInt32LE(0xffffffff, 40);
    expect(joinWavs([streamed])).toEqual(Buffer.from(testWav(4, 7)));
  });

  it('joining WAV files refuses what is no WAV file, has no samples or is written differently', () => {
    const other = Buffer.from(testWav(4, 1));
    other.writeUInt32LE(16_000, 24);
    expect(() => joinWavs([Buffer.from('ID3')])).toThrow('not a WAV file');
    expect(() => joinWavs([testWav(4, 1).subarray(0, 36)])).toThrow('without samples');
    expect(() => joinWavs([testWav(4, 1), other])).toThrow('different formats');
  });
});
