import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { toFloat32 } from '@parley/audio';
import { SPEECH_RATE } from '../audio/speech-samples.ts';
import { loadOnnxRuntime, type OnnxTensor, sessionOptions } from '../workers/onnx-runtime.ts';

/** The words of an utterance. */
export interface Recognized {
  readonly text: string;
  /** How sure the model is of its words: the mean of the logarithms of their probabilities; -Infinity when it did not come to an end. */
  readonly confidence: number;
}

/** Recognises English in up to half a minute of sound at `SPEECH_RATE`; stops between two words when the signal aborts. */
type Recognizer = (samples: Int16Array, signal: AbortSignal) => Promise<Recognized>;

const LAYERS = 6;
const HEADS = 8;
const HEAD_SIZE = 36;
const BEGIN = 1;
const END = 2;
/** Nobody speaks faster: a model that reaches it repeats itself. */
const TOKENS_PER_SECOND_MAX = 6.5;
/** The model needs this much sound for its first word. */
const LENGTH_MIN = 0.3 * SPEECH_RATE;

/**
 * The vocabulary's table is stored in 8 bits and used as it is unpacked. By default the runtime unpacks it again for each
 * token, which is two thirds of the time; so it is unpacked once, for 38 MB of memory.
 */
const decoderOptions = { ...sessionOptions, extra: { session: { disable_quant_qdq: '1' } } };

/** Moonshine tiny, 8 bit. Its time grows with the length of the utterance. Native code: only in child processes. */
export async function loadMoonshine(runtimeFolder: string, modelFolder: string): Promise<Recognizer> {
  const { InferenceSession, Tensor } = loadOnnxRuntime(runtimeFolder);
  const model = path.join(modelFolder, 'dist/model/tiny/quantized');
  const [encoder, decoder, tokenizer] = await Promise.all([
    InferenceSession.create(path.join(model, 'encoder_model.onnx'), sessionOptions),
    InferenceSession.create(path.join(model, 'decoder_model_merged.onnx'), decoderOptions),
    readFile(path.join(modelFolder, 'llama-tokenizer.js'), 'utf8'),
  ]);
  const vocabulary = readVocabulary(tokenizer);

  const emptyMemory = (): Record<string, OnnxTensor> =>
    Object.fromEntries(
      memoryNames.map((name) => [name, new Tensor('float32', new Float32Array(), [0, HEADS, 1, HEAD_SIZE])]),
    );

  return async (samples, signal) => {
    if (samples.length < LENGTH_MIN) return { text: '', confidence: 0 };
    const sound = toFloat32(samples);
    const { last_hidden_state: heard } = await encoder.run({
      input_values: new Tensor('float32', sound, [1, sound.length]),
    });
    const tokensMax = Math.ceil((samples.length / SPEECH_RATE) * TOKENS_PER_SECOND_MAX);
    const memory = emptyMemory();
    const tokens: number[] = [];
    let logProbability = 0;
    for (let token = BEGIN; tokens.length < tokensMax;) {
      signal.throwIfAborted();
      const isFirst = token === BEGIN;
      const feeds = {
        input_ids: new Tensor('int64', BigInt64Array.of(BigInt(token)), [1, 1]),
        encoder_hidden_states: heard!,
        use_cache_branch: new Tensor('bool', [!isFirst], [1]),
        ...memory,
      };
      // What follows from the sound stays the same after the first token.
      const states = await decoder.run(feeds, isFirst ? [LOGITS, ...stateNames] : [LOGITS, ...changingStateNames]);
      for (const [name, state] of Object.entries(states)) if (name !== LOGITS) memory[memoryNameOf(name)] = state;
      const next = mostProbable(states[LOGITS]!.data);
      logProbability += next.logProbability;
      if (next.token === END)
        return { text: textOfTokens(vocabulary, tokens), confidence: logProbability / (tokens.length + 1) };
      tokens.push((token = next.token));
    }
    return { text: textOfTokens(vocabulary, tokens), confidence: -Infinity };
  };
}

const LOGITS = 'logits';
const stateNames = Array.from({ length: LAYERS }, (_, layer) =>
  ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value'].map((part) => `present.${layer}.${part}`),
).flat();
const changingStateNames = stateNames.filter((name) => name.includes('decoder'));
const memoryNameOf = (stateName: string) => stateName.replace('present', 'past_key_values');
const memoryNames = stateNames.map(memoryNameOf);

function mostProbable(logits: Float32Array): { token: number; logProbability: number } {
  let token = 0;
  for (let i = 1; i < logits.length; i += 1) if (logits[i]! > logits[token]!) token = i;
  let sum = 0;
  for (let i = 0; i < logits.length; i += 1) sum += Math.exp(logits[i]! - logits[token]!);
  return { token, logProbability: -Math.log(sum) };
}

/** The text that each token of a model stands for. */
type Vocabulary = readonly string[];

/** The vocabulary in the program text of `llama-tokenizer-js`: its lines in base64. Nothing of the program is run. */
export function readVocabulary(program: string): Vocabulary {
  const [, base64] = /llama_vocab_base64 = "([^"]+)"/.exec(program) ?? [];
  if (base64 === undefined) throw new Error('a tokenizer without a vocabulary');
  return Buffer.from(base64, 'base64').toString('utf8').split('\n');
}

/** What SentencePiece writes for a space. */
const SPACE = '\u2581';
/** A byte of a character that is not in the vocabulary. */
const BYTE = /^<0x([0-9A-F]{2})>$/;
/** Tokens for the beginning, the end and the unknown. */
const SPECIAL = /^<\/?(s|unk)>$/;

export function textOfTokens(vocabulary: Vocabulary, tokens: readonly number[]): string {
  const bytes = tokens.map((token) => {
    const piece = vocabulary[token] ?? '';
    const [, byte] = BYTE.exec(piece) ?? [];
    if (byte !== undefined) return Buffer.from(byte, 'hex');
    return Buffer.from(SPECIAL.test(piece) ? '' : piece.replaceAll(SPACE, ' '));
  });
  return Buffer.concat(bytes).toString('utf8').trim();
}
