// The recognisers beside each other on the spoken test set: wrong words, and CPU time for a second of speech.
import type { Engines } from '../../src/engines.ts';
import { openTestEngines, patient } from '../open-test-engines.ts';
import { wordErrors, words } from '../word-error-rate.ts';
import { processorMs } from './processor-time.ts';
import { type Spoken, spokenTestSet } from './spoken-test-set.ts';

const RECOGNIZERS = ['moonshine-main', 'whisper-main'];

async function measure({ transcriber }: Engines, spoken: readonly Spoken[]) {
  await transcriber.transcribe({ wav: spoken[0]!.wav, language: 'en' }, patient); // loads the models
  const byKind = new Map<string, { errors: number; words: number; secs: number; cpu: number; whisper: number }>();
  for (const { kind, text, wav, secs } of spoken) {
    const before = await processorMs(RECOGNIZERS);
    const { segments, engine } = (await transcriber.transcribe({ wav, language: 'en' }, patient))!;
    const sum = byKind.get(kind) ?? { errors: 0, words: 0, secs: 0, cpu: 0, whisper: 0 };
    byKind.set(kind, {
      errors: sum.errors + wordErrors(text, segments.map((segment) => segment.text).join(' ')),
      words: sum.words + words(text).length,
      secs: sum.secs + secs,
      cpu: sum.cpu + (await processorMs(RECOGNIZERS)) - before,
      whisper: sum.whisper + Number(engine.includes('whisper')),
    });
  }
  return byKind;
}

const best = openTestEngines();
const whisper = openTestEngines({ TRANSCRIPTION_ENGINE: 'whisper' });
try {
  const spoken = await spokenTestSet(best);
  const [ours, theirs] = [await measure(best, spoken), await measure(whisper, spoken)];
  const share = ({ errors, words: all }: { errors: number; words: number }) => `${((100 * errors) / all).toFixed(1)} %`;
  const cost = ({ cpu, secs }: { cpu: number; secs: number }) => `${(cpu / secs).toFixed(0)} ms`;
  console.table(
    [...ours].map(([kind, sum]) => ({
      speech: kind,
      words: sum.words,
      'wrong words': share(sum),
      'by whisper alone': share(theirs.get(kind)!),
      'CPU of a second': cost(sum),
      'of whisper alone': cost(theirs.get(kind)!),
      'left to whisper': sum.whisper,
    })),
  );
} finally {
  await Promise.all([best.stop(), whisper.stop()]);
}
process.exit();
