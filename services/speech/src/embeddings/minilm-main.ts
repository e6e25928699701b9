import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { loadOnnxRuntime, sessionOptions } from '../workers/onnx-runtime.ts';
import { serveJobs } from '../workers/serve-jobs.ts';
import { type TokenizerFile, wordPiece } from './word-piece.ts';

const DIMENSIONS = 384;
const BEGIN = 101;
const END = 102;
/** The length the model was trained for, including special tokens. Longer texts are split into windows, up to about 1,500 words. */
const WINDOW = 254;
const WINDOWS_MAX = 8;

const [runtimeFolder = '', modelFolder = ''] = process.argv.slice(2);
const { InferenceSession, Tensor } = loadOnnxRuntime(runtimeFolder);
const folder = path.join(modelFolder, 'models/Xenova/all-MiniLM-L6-v2');
const tokenize = wordPiece(JSON.parse(await readFile(path.join(folder, 'tokenizer.json'), 'utf8')) as TokenizerFile);
const session = await InferenceSession.create(path.join(folder, 'onnx/model_quantized.onnx'), sessionOptions);

serveJobs<readonly string[], Float32Array[]>(async (texts) => {
  const vectors: Float32Array[] = [];
  for (const text of texts) vectors.push(await embed(text));
  return vectors;
});

/** The mean over all tokens, as the model was trained, and then made one long. */
async function embed(text: string): Promise<Float32Array> {
  const tokens = tokenize(text).slice(0, WINDOW * WINDOWS_MAX);
  const sum = new Float32Array(DIMENSIONS);
  let start = 0;
  do {
    await addWindow(sum, tokens.slice(start, start + WINDOW));
    start += WINDOW;
  } while (start < tokens.length);
  const length = Math.hypot(...sum) || 1;
  return sum.map((value) => value / length);
}

async function addWindow(sum: Float32Array, tokens: readonly number[]): Promise<void> {
  const ids = [BEGIN, ...tokens, END];
  const row = (values: readonly number[]) => new Tensor('int64', BigInt64Array.from(values, BigInt), [1, ids.length]);
  const { last_hidden_state: states } = await session.run({
    input_ids: row(ids),
    attention_mask: row(ids.map(() => 1)),
    token_type_ids: row(ids.map(() => 0)),
  });
  states!.data.forEach((value, i) => (sum[i % DIMENSIONS]! += value));
}
