import { expect, it } from '@jest/globals';
import { type JobPriority, PRIORITY } from '../workers/serve-jobs.ts';
import type { WorkerPool } from '../workers/worker-pool.ts';
import type { EspeakJob, EspeakSpeech } from './espeak-process.ts';
import { localSynthesizer } from './local-synthesizer.ts';
import type { VitsJob } from './vits-job.ts';

/** Engines whose samples tell which one made them, and what was logged. */
function aSynthesizer() {
  const state = { isLoaded: false, isEspeakBroken: false, warnings: 0 };
  const vits = {
    run: async () => Int16Array.of(1),
    startLoading: () => state.isLoaded,
  } as unknown as WorkerPool<VitsJob, Int16Array>;
  const espeak = {
    async run() {
      if (state.isEspeakBroken) throw new Error('not there');
      return { samples: Int16Array.of(2), rate: 8000 };
    },
  } as unknown as WorkerPool<EspeakJob, EspeakSpeech>;
  const synthesizer = localSynthesizer({
    vits: { en: vits },
    espeak,
    speechOfSamples: async ({ samples }) => samples,
    log: { warn: () => void (state.warnings += 1) },
  });
  const speak = async (priority: JobPriority, language = 'en') => {
    const context = { signal: new AbortController().signal, companyId: 'com_a', priority };
    const parts = await Array.fromAsync(synthesizer.synthesizeParts({ text: 'Hello.', language, voice: '' }, context));
    return parts.map(({ engine, standsIn }) => `${engine}${standsIn ? ' stands in' : ''}`);
  };
  return { state, speak };
}

it('a caller hears another voice while the one of the language is loading, and nobody else does', async () => {
  const { state, speak } = aSynthesizer();
  expect(await speak(PRIORITY.call)).toEqual(['espeak-ng stands in']);
  expect(await speak(PRIORITY.background)).toEqual(['dittli-en']);
  expect(await speak(PRIORITY.call, 'da')).toEqual(['espeak-ng']);
  state.isLoaded = true;
  expect(await speak(PRIORITY.call)).toEqual(['dittli-en']);
  expect(state.warnings).toBe(0);
});

it('a caller waits for the voice of the language where there is no other one', async () => {
  const { state, speak } = aSynthesizer();
  state.isEspeakBroken = true;
  expect(await speak(PRIORITY.call)).toEqual(['dittli-en']);
});
