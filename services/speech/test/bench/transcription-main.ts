// The recognisers beside each other on the spoken test set: wrong words, and CPU time for a second of speech.
import { readFile } from 'node:fs/promises';
import { SPEECH_RATE } from '../../src/audio/speech-samples.ts';
import type { Engines } from '../../src/engines.ts';
import { childProcesses } from '../child-processes.ts';
import { openTestEngines, patient } from '../open-test-engines.ts';
import { spokenSentences } from '../spoken/spoken-sentences.ts';
import { overTelephone, RECORDED_WORDS, recordedSpeech } from '../spoken/telephone.ts';
import { wordErrors, words } from '../word-error-rate.ts';

interface Spoken {
  readonly kind: string;
  readonly text: string;
  readonly wav: Buffer;
  readonly secs: number;
}

/** The kernel counts in hundredths of a second. */
const TICK_MS = 10;
const RECOGNIZERS = ['moonshine-main', 'whisper-main'];

async function cpuMs(): Promise<number> {
  let ticks = 0;
  for (const pid of (await Promise.all(RECOGNIZERS.map(childProcesses))).flat()) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks * TICK_MS;
}

async function spokenTestSet({ synthesizer }: Engines): Promise<Spoken[]> {
  const person = await recordedSpeech();
  const all: Spoken[] = [{ kind: 'a person', text: RECORDED_WORDS, wav: person, secs: person.length / 16_000 }];
  for (const [kind, sentences] of Object.entries(spokenSentences)) {
    for (const text of sentences) {
      const { samples } = await synthesizer.synthesize({ text, language: 'en', voice: '' }, patient);
      all.push({ kind, text, wav: overTelephone(samples), secs: samples.length / SPEECH_RATE });
    }
  }
  return all;
}

async function measure({ transcriber }: Engines, spoken: readonly Spoken[]) {
  await transcriber.transcribe({ wav: spoken[0]!.wav, language: 'en' }, patient); // loads the models
  const byKind = new Map<string, { errors: number; words: number; secs: number; cpu: number; whisper: number }>();
  for (const { kind, text, wav, secs } of spoken) {
    const before = await cpuMs();
    const { segments, engine } = (await transcriber.transcribe({ wav, language: 'en' }, patient))!;
    const sum = byKind.get(kind) ?? { errors: 0, words: 0, secs: 0, cpu: 0, whisper: 0 };
    byKind.set(kind, {
      errors: sum.errors + wordErrors(text, segments.map((segment) => segment.text).join(' ')),
      words: sum.words + words(text).length,
      secs: sum.secs + secs,
      cpu: sum.cpu + (await cpuMs()) - before,
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
