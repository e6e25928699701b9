import path from 'node:path';
import type { Telemetry } from '@parley/telemetry';
import { type Calculator, openCalculator } from './calculations/calculator.ts';
import { TELEPHONE_RATE } from './audio/speech-samples.ts';
import type { Config } from './config.ts';
import { type Embedder, localEmbedder, remoteEmbedder } from './embeddings/embedder.ts';
import {
  dittliEnglish,
  dittliGerman,
  espeak,
  miniLm,
  moonshineTiny,
  native,
  silero,
  WHISPER_MODEL,
  whisperTiny,
} from './assets/catalog.ts';
import type { Asset } from './assets/asset.ts';
import type { AssetStore } from './assets/asset-store.ts';
import { createListener } from './listening/listener.ts';
import {
  localUtteranceRecognizer,
  remoteUtteranceRecognizer,
  shareOfCompany,
  type UtteranceRecognizer,
} from './listening/utterance-recognizer.ts';
import { silentJob, type VoiceJob, type VoiceProbabilities } from './listening/voice-detector.ts';
import type { Recognized } from './recognition/moonshine.ts';
import { openEndpoint } from './remote/endpoint.ts';
import { localSummarizer } from './summaries/local-summarizer.ts';
import { remoteSummarizer } from './summaries/summarizer.ts';
import { type EspeakJob, type EspeakSpeech, launchEspeak } from './synthesis/espeak-process.ts';
import { localSynthesizer } from './synthesis/local-synthesizer.ts';
import { remoteSynthesizer, type Synthesizer } from './synthesis/synthesizer.ts';
import type { VitsJob } from './synthesis/vits-job.ts';
import { localTranscriber } from './transcription/local-transcriber.ts';
import { remoteTranscriber } from './transcription/transcriber.ts';
import type { RecognizedWords, WhisperJob } from './transcription/whisper-job.ts';
import { launchChild, type Worker } from './workers/worker.ts';
import { createWorkerPool, type WorkerPool, type WorkerPoolOptions } from './workers/worker-pool.ts';

export interface EnginesOptions {
  readonly config: Config;
  readonly assets: AssetStore;
  readonly telemetry: Telemetry;
}

/** An engine for each kind of request. */
export type Engines = ReturnType<typeof openEngines>;

const program = (name: string) => path.join(import.meta.dirname, name);

/** Opens the engine that the settings name for each kind of request. */
export function openEngines({ config, assets, telemetry }: EnginesOptions) {
  const { log } = telemetry;
  const idleMs = config.WORKER_IDLE_SECS * 1000;
  const stops: (() => Promise<void>)[] = [];
  const used = new Set<Asset>();

  function calculator(name: string): Calculator {
    const opened = openCalculator({ name, idleMs, telemetry });
    stops.push(() => opened.stop());
    return opened;
  }

  /** Workers that need assets: each is launched once its assets are there, which are verified again when a worker is lost. */
  function pool<Job, Result>(
    name: string,
    size: number,
    needed: readonly (Asset | undefined)[],
    launch: (folders: readonly string[]) => Worker<Job, Result>,
    more: Pick<WorkerPoolOptions<Job, Result>, 'perCompanyMax' | 'withoutCallerMax' | 'warmUp'> = {},
  ): WorkerPool<Job, Result> {
    for (const asset of needed) if (asset) used.add(asset);
    const workers = createWorkerPool<Job, Result>({
      name,
      size,
      idleMs,
      telemetry,
      ...more,
      async launch() {
        const folders = await Promise.all(needed.map((asset) => assets.ensure(available(asset, name))));
        const worker = launch(folders);
        worker.ended
          .then(() => needed.forEach((asset) => asset && assets.verifyAgain(asset)))
          .catch((error: unknown) =>
            telemetry.log.error({ err: error, worker: name }, 'the assets of an engine were not verified again'),
          );
        return worker;
      },
    });
    stops.push(() => workers.stop());
    return workers;
  }

  /** Of several processes of a voice, one is left to callers. */
  const voices = { withoutCallerMax: Math.max(1, config.SYNTHESIS_WORKERS - 1) };
  const vits = (language: string, pack: Asset) =>
    pool<VitsJob, Int16Array>(
      `dittli-${language}`,
      config.SYNTHESIS_WORKERS,
      [native.onnxRuntime, pack],
      (folders) => launchChild(program('synthesis/vits-main.ts'), [...folders, language]),
      { ...voices, warmUp: { text: 'Hallo.', wantedRate: TELEPHONE_RATE } },
    );

  function synthesizer() {
    const {
      SYNTHESIS_URL: url,
      SYNTHESIS_API_KEY: apiKey,
      SYNTHESIS_MODEL: model = '',
      SYNTHESIS_VOICE: voice,
    } = config;
    const { calculation } = calculator('speech-calculation');
    if (url !== undefined) {
      const endpoint = openEndpoint({ url, apiKey });
      return remoteSynthesizer({ endpoint, model, voice, speechOfWav: calculation('speechOfWav') });
    }
    const neural = { en: vits('en', dittliEnglish), de: vits('de', dittliGerman) };
    const espeakPool = pool<EspeakJob, EspeakSpeech>(
      'espeak-ng',
      config.SYNTHESIS_WORKERS,
      [espeak],
      ([folder]) => launchEspeak(folder!),
      { ...voices, warmUp: { voice: 'en', text: 'Hello.' } },
    );
    const speechOfSamples = calculation('speechOfSamples');
    return localSynthesizer({ vits: neural, espeak: espeakPool, speechOfSamples, log });
  }

  function transcriber() {
    const { TRANSCRIPTION_URL: url, TRANSCRIPTION_API_KEY: apiKey, TRANSCRIPTION_MODEL: model = '' } = config;
    const format = config.TRANSCRIPTION_FORMAT;
    const { calculation } = calculator('recording-calculation');
    if (url !== undefined) {
      const endpoint = openEndpoint({ url, apiKey });
      return remoteTranscriber({ endpoint, model, format, channelsOf: calculation('channelsOf') });
    }
    const moonshine = (): WorkerPool<Int16Array, Recognized> =>
      pool('moonshine', config.TRANSCRIPTION_WORKERS_ENGLISH, [native.onnxRuntime, moonshineTiny], (folders) =>
        launchChild(program('recognition/moonshine-main.ts'), folders),
      );
    const whisper = pool<WhisperJob, readonly RecognizedWords[]>(
      'whisper',
      config.TRANSCRIPTION_WORKERS,
      [native.whisperAddon, whisperTiny],
      ([addon, model]) =>
        launchChild(program('transcription/whisper-main.ts'), [
          addon!,
          path.join(model!, WHISPER_MODEL),
          String(config.TRANSCRIPTION_THREADS),
        ]),
    );
    return localTranscriber({
      moonshine: native.onnxRuntime && config.TRANSCRIPTION_ENGINE === 'best' ? moonshine() : undefined,
      whisper,
      hasWhisper: native.whisperAddon !== undefined,
      speakerTurnsIn: calculation('speakerTurnsIn'),
      log,
    });
  }

  function utteranceRecognizer(): UtteranceRecognizer {
    const { TRANSCRIPTION_URL: url, TRANSCRIPTION_API_KEY: apiKey, TRANSCRIPTION_MODEL: model = '' } = config;
    const format = config.TRANSCRIPTION_FORMAT;
    if (url !== undefined) return remoteUtteranceRecognizer({ endpoint: openEndpoint({ url, apiKey }), model, format });
    const workers = config.LISTENING_WORKERS;
    return localUtteranceRecognizer(
      pool<Int16Array, Recognized>(
        'moonshine-calls',
        workers,
        [native.onnxRuntime, moonshineTiny],
        (folders) => launchChild(program('listening/moonshine-call-main.ts'), folders),
        { perCompanyMax: shareOfCompany(workers), warmUp: new Int16Array(TELEPHONE_RATE) },
      ),
      workers,
    );
  }

  function listener(speaks: Synthesizer) {
    const voiceDetectors = pool<VoiceJob, VoiceProbabilities>(
      'silero',
      1,
      [native.onnxRuntime, silero],
      (folders) => launchChild(program('listening/silero-main.ts'), folders),
      { warmUp: silentJob },
    );
    return createListener({ voiceDetectors, recognizer: utteranceRecognizer(), synthesizer: speaks, telemetry });
  }

  function embedderOf(): Embedder {
    const { EMBEDDING_URL: url, EMBEDDING_API_KEY: apiKey, EMBEDDING_MODEL: model = '' } = config;
    if (url !== undefined) return remoteEmbedder({ endpoint: openEndpoint({ url, apiKey }), model });
    return localEmbedder(
      pool<readonly string[], readonly Float32Array[]>('minilm', 1, [native.onnxRuntime, miniLm], (folders) =>
        launchChild(program('embeddings/minilm-main.ts'), folders),
      ),
    );
  }

  function summarizer(embedder: Embedder) {
    const { SUMMARY_URL: url, SUMMARY_API_KEY: apiKey, SUMMARY_MODEL: model = '' } = config;
    if (url !== undefined) return remoteSummarizer({ endpoint: openEndpoint({ url, apiKey }), model });
    const { calculation } = calculator('summary-calculation');
    const [sentencesOf, keySentences] = [calculation('sentencesOf'), calculation('keySentences')];
    return localSummarizer({ embedder, sentencesOf, keySentences, log });
  }

  // In the order in which assets are fetched ahead: greetings are needed before the first call.
  const ownSynthesizer = synthesizer();
  const embedder = embedderOf();
  return {
    synthesizer: ownSynthesizer,
    transcriber: transcriber(),
    listener: listener(ownSynthesizer),
    summarizer: summarizer(embedder),
    embedder,
    /** The assets of the local engines in use. */
    assets: [...used],
    stop: async () => void (await Promise.all(stops.map((stop) => stop()))),
  };
}

function available(asset: Asset | undefined, name: string): Asset {
  if (asset) return asset;
  throw new Error(`${name} does not exist for ${process.platform}-${process.arch}; see docs/speech.md`);
}
