import { describe, expect, it } from '@jest/globals';
import { Priority } from '@parley/proto/speech/v1/speech_pb';
import type { Channel } from '@parley/rpc';
import { testWav } from '@parley/testkit/service';
import { NoLongerNeeded, type SynthesisOrder, speechClient } from './speech-client.ts';

interface Request {
  readonly text: string;
  readonly companyId: string;
  readonly priority: Priority;
}

/** A speech service that answers when the test lets it. */
function fakeSpeech() {
  const requests: Request[] = [];
  const gates: (() => void)[] = [];
  const synthesize = async (request: Request) => {
    requests.push(request);
    await new Promise<void>((resolve) => gates.push(resolve));
    return { audio: testWav(2 * request.text.length, 7), contentType: 'audio/wav', durationMs: 10, engine: 'test' };
  };
  const synthesizer = speechClient({ client: () => ({ synthesize }) } as unknown as Channel);
  const finishNext = async () => {
    gates.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { requests, synthesizer, finishNext };
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
    const { requests, synthesizer, finishNext } = fakeSpeech();
    const background = synthesizer.synthesizePrompt(long, order({ isNeeded: async () => false }));
    const call = synthesizer.synthesizePrompt(long, order({ companyId: 'com_b', priority: 'call' }));
    await finishNext();
    expect(requests[0]).toMatchObject({ companyId: 'com_a', priority: Priority.BACKGROUND });
    expect(requests[1]).toMatchObject({ companyId: 'com_b', priority: Priority.CALL });
    while (requests.length < 3) await finishNext();
    await finishNext();
    expect(await background).toBe(await call);
    expect((await call).durationMs).toBe(10 * requests.length);
  });
});
