import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { speechSamples } from '../audio/speech-samples.ts';
import { loadOnnxRuntime, sessionOptions } from '../workers/onnx-runtime.ts';
import { serveJobs } from '../workers/serve-jobs.ts';
import { speakableEnglish } from './speakable-english.ts';
import { speakableGerman } from './speakable-german.ts';
import type { VitsJob } from './vits-job.ts';

interface Metadata {
  readonly language_id: number;
  readonly tone_offset: number;
  readonly sample_rate: number;
  readonly symbols: readonly string[];
}

/** Letters to sounds, as the language pack exports it. */
interface Pronounce {
  (text: string, options: { symbolSet: ReadonlySet<string> }): { phones: string[]; tones: number[] };
  prepare?(options: { assetBase: string }): Promise<void>;
}

const packs: Record<string, { module: string; pronounce: string; speakable: (text: string) => string }> = {
  en: { module: 'src/g2p_en.js', pronounce: 'graphemeToPhonemeEN', speakable: speakableEnglish },
  de: { module: 'src/g2p_de.js', pronounce: 'graphemeToPhonemeDE', speakable: speakableGerman },
};

const [runtimeFolder = '', packFolder = '', language = ''] = process.argv.slice(2);
const pack = packs[language]!;

// The English pack is made for browsers and fetches its dictionary; here the dictionary is a file.
globalThis.fetch = async (url) => new Response(await readFile(new URL(String(url))));

const { InferenceSession, Tensor } = loadOnnxRuntime(runtimeFolder);
const file = (name: string) => path.join(packFolder, name);
const metadata = JSON.parse(await readFile(file(`assets/${language}/metadata.json`), 'utf8')) as Metadata;
const module = (await import(pathToFileURL(file(pack.module)).href)) as Record<string, Pronounce>;
const pronounce = module[pack.pronounce]!;
await pronounce.prepare?.({ assetBase: pathToFileURL(file('assets/')).href });
const session = await InferenceSession.create(file(`assets/${language}/model.onnx`), sessionOptions);

const symbolSet = new Set(metadata.symbols);
const idOf = new Map(metadata.symbols.map((symbol, id) => [symbol, id]));
const unknown = idOf.get('UNK')!;

serveJobs<VitsJob, Int16Array>(async ({ text, wantedRate }) => {
  const { phones, tones } = pronounce(pack.speakable(text), { symbolSet });
  // Two tokens are the start and end marks: the text is empty.
  if (phones.length <= 2) return new Int16Array();
  const x = spaced(phones.map((phone) => idOf.get(phone) ?? unknown));
  const length = x.length;
  const scalar = (value: number) => new Tensor('float32', Float32Array.of(value), [1]);
  const row = (values: BigInt64Array) => new Tensor('int64', values, [1, length]);
  const one = (value: number) => new Tensor('int64', BigInt64Array.of(BigInt(value)), [1]);
  const { audio } = await session.run({
    x: row(x),
    x_lengths: one(length),
    sid: one(0),
    tone: row(spaced(tones.map((tone) => tone + metadata.tone_offset))),
    language: row(spaced(phones.map(() => metadata.language_id))),
    // The model has an input for word embeddings that can be zero.
    bert: new Tensor('float32', new Float32Array(length * 1024), [1, 1024, length]),
    ja_bert: new Tensor('float32', new Float32Array(length * 768), [1, 768, length]),
    // Less chance and a little slower than the model's own 0.667, 0.8 and 1: a recogniser understands it better.
    noise_scale: scalar(0.4),
    noise_scale_w: scalar(0.6),
    length_scale: scalar(1.05),
  });
  return speechSamples(audio!.data, metadata.sample_rate, wantedRate);
});

/** The model requires a blank before, between and after the tokens. */
function spaced(ids: readonly number[]): BigInt64Array {
  const row = new BigInt64Array(ids.length * 2 + 1);
  ids.forEach((id, i) => (row[i * 2 + 1] = BigInt(id)));
  return row;
}
