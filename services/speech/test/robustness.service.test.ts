import { describe, expect, it } from '@jest/globals';
import { Priority } from '@parley/proto/speech/v1/speech_pb';
import { waitUntil } from '@parley/testkit';
import { childProcesses } from './child-processes.ts';
import { TIME_LIMIT_MS, startSpeech } from './start-speech.ts';

const longTimeout = { timeoutMs: TIME_LIMIT_MS };
const danish = { text: 'Tak fordi du ringer til os i dag.', language: 'da' };

describe('the service', () => {
  it(
    'the service answers the request of an engine that was killed with speech_failed, and the next one with a new engine',
    async () => {
      await using service = await owned();
      const killed = service.speech.embed({ texts: ['refund'] }, longTimeout);
      const failed = expect(killed).rejects.toMatchObject({ refusal: { code: 'speech_failed' } });
      const [pid] = await waitUntil(() => some(childProcesses('minilm-main')), {
        what: 'the engine',
        timeoutMs: TIME_LIMIT_MS,
      });
      process.kill(pid!, 'SIGKILL');
      await failed;
      const { vectors } = await service.speech.embed({ texts: ['refund'] }, longTimeout);
      expect(vectors).toHaveLength(1);
    },
    TIME_LIMIT_MS,
  );

  it(
    'the service uses another voice when the best one crashes',
    async () => {
      await using service = await owned();
      const spoken = service.speech.synthesize({ text: 'Good morning.', language: 'en' }, longTimeout);
      const [pid] = await waitUntil(() => some(childProcesses('vits-main')), {
        what: 'the voice',
        timeoutMs: TIME_LIMIT_MS,
      });
      process.kill(pid!, 'SIGKILL');
      expect((await spoken).engine).toBe('espeak-ng');
    },
    TIME_LIMIT_MS,
  );

  it(
    'the service refuses more requests than may be in progress, and frees the slot of a disconnected client',
    async () => {
      await using service = await owned({ SYNTHESES_MAX: '2' });
      const outcomes = await Promise.allSettled(
        Array.from({ length: 5 }, () => service.speech.synthesize(danish, longTimeout)),
      );
      const refused = outcomes.filter(({ status }) => status === 'rejected');
      expect(refused).toHaveLength(3);
      for (const outcome of refused) expect(outcome).toMatchObject({ reason: { refusal: { code: 'rate_limited' } } });
      const impatient = [1, 2].map(() =>
        service.speech.synthesize({ ...danish, text: danish.text.repeat(50) }, { timeoutMs: 50 }),
      );
      await Promise.allSettled(impatient);
      const again = () => service.speech.synthesize(danish, longTimeout).then(({ engine }) => engine);
      await expect(waitUntil(again, { what: 'a free place' })).resolves.toBe('espeak-ng');
    },
    TIME_LIMIT_MS,
  );

  it(
    'the service lets a short text of one company go before the long ones of another, and a call before both',
    async () => {
      await using service = await owned();
      await service.speech.synthesize(danish, longTimeout);
      const long = { ...danish, text: danish.text.repeat(60), companyId: 'com_a' };
      const ended: string[] = [];
      const ask = (name: string, request: object) =>
        service.speech.synthesize({ ...danish, ...request }, longTimeout).then(() => void ended.push(name));
      const first = Array.from({ length: 8 }, (_, index) => ask(`long ${index}`, long));
      await ask('other company', { companyId: 'com_b' });
      expect(ended).toEqual(['other company']);
      await ask('call', { companyId: 'com_a', priority: Priority.CALL });
      expect(ended.slice(0, 2)).toEqual(['other company', 'call']);
      await Promise.all(first);
    },
    TIME_LIMIT_MS,
  );

  it('the service runs without its engines, and reports a missing one when it is needed', async () => {
    await using service = await owned({ MODELS_DIR: '/dev/null/models' });
    await expect(service.speech.synthesize(danish)).rejects.toMatchObject({ refusal: { code: 'speech_failed' } });
    const { engine } = await service.speech.summarize({
      text: 'The parcel is late. It comes on Friday. The parcel holds a lamp. Please wait for the parcel. Thank you. Bye.',
      language: 'en',
    });
    expect(engine).toBe('lexrank-tf-idf');
  });

  it(
    'the service ends its engines after a while without work, and with itself',
    async () => {
      await using service = await owned({ WORKER_IDLE_SECS: '1' });
      const spoken = service.speech.synthesize(danish, longTimeout);
      await waitUntil(() => some(childProcesses('espeak-main')), { what: 'the engine', timeoutMs: TIME_LIMIT_MS });
      await spoken;
      await waitUntil(async () => (await childProcesses('espeak-main')).length === 0, {
        what: 'the idle engine to end',
      });
      await service.speech.synthesize(danish, longTimeout);
      await service[Symbol.asyncDispose]();
      expect(await childProcesses('espeak-main')).toEqual([]);
    },
    TIME_LIMIT_MS,
  );
});

async function owned(settings: Record<string, string> = {}) {
  const service = await startSpeech(settings);
  return { speech: service.speech, [Symbol.asyncDispose]: () => service.stop() };
}

async function some(found: Promise<number[]>): Promise<number[] | undefined> {
  const pids = await found;
  return pids.length > 0 ? pids : undefined;
}
