// Calls that are listened to, as fast as they are spoken, beside a transcription of the same audio.
import { setTimeout as sleep } from 'node:timers/promises';
import { samplesOf } from '@parley/audio';
import { TELEPHONE_RATE } from '../../src/audio/speech-samples.ts';
import type { Engines } from '../../src/engines.ts';
import type { ListenMessage } from '../../src/listening/listening-stream.ts';
import { pcmOfWav, silence } from '../calls.ts';
import { openTestEngines, patient } from '../open-test-engines.ts';
import { spokenSentences } from '../spoken/spoken-sentences.ts';
import { wordErrors, words } from '../word-error-rate.ts';
import { processorMs } from './processor-time.ts';
import { type Spoken, spokenTestSet } from './spoken-test-set.ts';

const LISTENERS = ['silero-main', 'moonshine-call-main'];
const TRANSCRIBERS = ['moonshine-main', 'whisper-main'];
const PACKET_MS = 20;
const PACKET_SAMPLES = (PACKET_MS * TELEPHONE_RATE) / 1000;

interface Result {
  readonly kind: string;
  readonly words: number;
  readonly errors: number;
  readonly secs: number;
  readonly cpuMs: number;
  /** From the end of speech, or of the request, to the words. */
  readonly delayMs: number;
}

/** A moment before and after, as in a call. */
const onTheLine = (wav: Buffer) => samplesOf(Buffer.concat([silence(300), pcmOfWav(wav), silence(800)]));

async function listen({ listener }: Engines, { kind, text, wav, secs }: Spoken): Promise<Result> {
  const cpuBefore = await processorMs(LISTENERS);
  const samples = onTheLine(wav);
  let startedAt = 0;
  const loaded = Promise.withResolvers<void>();
  async function* packets(): AsyncGenerator<ListenMessage> {
    await loaded.promise;
    startedAt = performance.now();
    for (let at = 0; at < samples.length; at += PACKET_SAMPLES) {
      const aheadMs = startedAt + (at / PACKET_SAMPLES + 1) * PACKET_MS - performance.now();
      if (aheadMs > 0) await sleep(aheadMs);
      yield { kind: 'audio', samples: samples.subarray(at, at + PACKET_SAMPLES) };
    }
  }
  let recognized = '';
  let delayMs = 0;
  for await (const event of listener.listen(packets(), 'en', patient, async () => undefined)) {
    if (event.kind === 'ready') loaded.resolve();
    if (event.kind !== 'recognized') continue;
    recognized = event.text;
    delayMs = performance.now() - startedAt - event.endMs;
  }
  const cpuMs = (await processorMs(LISTENERS)) - cpuBefore;
  return { kind, words: words(text).length, errors: wordErrors(text, recognized), secs, cpuMs, delayMs };
}

async function transcribe({ transcriber }: Engines, { kind, text, wav, secs }: Spoken): Promise<Result> {
  const cpuBefore = await processorMs(TRANSCRIBERS);
  const startedAt = performance.now();
  const { segments } = (await transcriber.transcribe({ wav, language: 'en' }, patient))!;
  const delayMs = performance.now() - startedAt;
  const cpuMs = (await processorMs(TRANSCRIBERS)) - cpuBefore;
  const recognized = segments.map((segment) => segment.text).join(' ');
  return { kind, words: words(text).length, errors: wordErrors(text, recognized), secs, cpuMs, delayMs };
}

/** How long the first sound of each sentence takes, in parts and as a whole. */
async function synthesis({ synthesizer }: Engines): Promise<void> {
  const first: number[] = [];
  const whole: number[] = [];
  for (const text of [...spokenSentences.short, ...spokenSentences.messages]) {
    const utterance = { text, language: 'en', voice: '' };
    const startedAt = performance.now();
    await synthesizer.synthesizeParts(utterance, patient).next();
    first.push(performance.now() - startedAt);
    const wholeAt = performance.now();
    await synthesizer.synthesize(utterance, patient);
    whole.push(performance.now() - wholeAt);
  }
  console.log(`  speech: first part p50 ${ms(at(first, 0.5))}, p95 ${ms(at(first, 0.95))}`);
  console.log(`  as a whole p50 ${ms(at(whole, 0.5))}, p95 ${ms(at(whole, 0.95))}`);
}

const ms = (value: number) => `${value.toFixed(0)} ms`;
const at = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))]!;

function summary(results: readonly Result[]) {
  const sum = (value: (result: Result) => number) => results.reduce((total, result) => total + value(result), 0);
  const delays = results.map(({ delayMs }) => delayMs);
  return {
    wrong: `${((100 * sum(({ errors }) => errors)) / sum((result) => result.words)).toFixed(1)} %`,
    cpu: ms(sum(({ cpuMs }) => cpuMs) / sum(({ secs }) => secs)),
    delay: `${ms(at(delays, 0.5))}, ${ms(at(delays, 0.95))}`,
  };
}

const engines = openTestEngines();
try {
  const spoken = await spokenTestSet(engines);
  await transcribe(engines, spoken[0]!); // loads the models
  await listen(engines, spoken[0]!);
  const listened: Result[] = [];
  const transcribed: Result[] = [];
  for (const one of spoken) {
    listened.push(await listen(engines, one));
    transcribed.push(await transcribe(engines, one));
  }
  const rows = [...new Set(spoken.map(({ kind }) => kind)), 'all'].map((kind) => {
    const of = (results: readonly Result[]) =>
      summary(results.filter((result) => kind === 'all' || result.kind === kind));
    const [call, recording] = [of(listened), of(transcribed)];
    return {
      speech: kind,
      'wrong words': call.wrong,
      'of Transcribe': recording.wrong,
      'CPU of a second': call.cpu,
      'of Transcribe ': recording.cpu,
      'words after the end (p50, p95)': call.delay,
      'Transcribe takes': recording.delay,
    };
  });
  console.table(rows);
  await synthesis(engines);
} finally {
  await engines.stop();
}
process.exit();
