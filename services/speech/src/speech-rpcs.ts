import { invalid, Refused } from '@parley/errors';
import { SpeechService, type SynthesizeRequest, type SynthesizeStreamRequest } from '@parley/proto/speech/v1/speech_pb';
import { type Handler, type RpcServer, type ServicePrincipal, services } from '@parley/rpc';
import { pcmOf, writeWav } from '@parley/audio';
import { SPEECH_RATE, TELEPHONE_RATE } from './audio/speech-samples.ts';
import type { Config } from './config.ts';
import type { Embedder } from './embeddings/embedder.ts';
import type { Engines } from './engines.ts';
import { listenRpc } from './listening/listen-rpc.ts';
import type { Listener } from './listening/listener.ts';
import type { RequestQueue } from './requests/request-queue.ts';
import type { Summarizer } from './summaries/summarizer.ts';
import type { Synthesizer, Utterance } from './synthesis/synthesizer.ts';
import type { Transcriber } from './transcription/transcriber.ts';

/** The names of the engines that speak on this machine. */
const LOCAL_VOICES = ['dittli-en', 'dittli-de', 'espeak-ng'];

const callers = services('numbers-routing', 'call-control', 'assistant', 'sandbox');
/** Whoever speaks with a caller. */
const talkers = services('assistant');

/** What calls can be listened to, and in which voices texts can be spoken. */
interface SpeechOptions {
  readonly listeningLanguages: string[];
  readonly listensToAnyLanguage: boolean;
  readonly voices: string[];
}

/** Of this machine's engines, only English is recognised in time for a conversation. */
export function speechOptions(
  config: Pick<Config, 'TRANSCRIPTION_URL' | 'SYNTHESIS_URL' | 'SYNTHESIS_VOICE'>,
): SpeechOptions {
  return {
    listeningLanguages: ['en'],
    listensToAnyLanguage: config.TRANSCRIPTION_URL !== undefined,
    voices: config.SYNTHESIS_URL === undefined ? [...LOCAL_VOICES] : [config.SYNTHESIS_VOICE],
  };
}

/** A queue for each kind of request. */
export type RequestQueues = Readonly<
  Record<'synthesis' | 'transcription' | 'summary' | 'embedding' | 'listening', RequestQueue>
>;

export function addSpeechService(
  server: RpcServer,
  engines: Engines,
  queues: RequestQueues,
  options: SpeechOptions,
): void {
  const rules = {
    synthesize: callers,
    synthesizeStream: talkers,
    listen: talkers,
    expectCallers: talkers,
    transcribe: callers,
    summarize: callers,
    embed: callers,
    getSpeechOptions: callers,
  };
  server.add(SpeechService, rules, {
    synthesize: synthesizeRpc(engines.synthesizer, queues.synthesis),
    synthesizeStream: synthesizeStreamRpc(engines.synthesizer, queues.synthesis),
    listen: listenRpc(engines.listener, queues.listening),
    expectCallers: expectCallersRpc(engines.listener),
    transcribe: transcribeRpc(engines.transcriber, queues.transcription),
    summarize: summarizeRpc(engines.summarizer, queues.summary),
    embed: embedRpc(engines.embedder, queues.embedding),
    getSpeechOptions: async () => options,
  });
}

/** About three and a half minutes; the response must fit into one message. */
const SYNTHESIS_LENGTH_MAX = 3000;
const SAMPLES_MAX = 3_900_000;
/** A text without anything to pronounce, such as an emoji, becomes a short silence: a caller must get past it. */
const SILENCE_SECS = 0.5;

const synthesizeRpc =
  (synthesizer: Synthesizer, queue: RequestQueue): Handler<typeof SpeechService.method.synthesize, ServicePrincipal> =>
  async (request, rpc) => {
    const utterance = utteranceOf(request);
    const { samples: spoken, engine } = await queue.run(rpc, request, (context) =>
      synthesizer.synthesize(utterance, context),
    );
    const samples = spoken.length > 0 ? spoken : new Int16Array(SPEECH_RATE * SILENCE_SECS);
    if (samples.length > SAMPLES_MAX) throw new Refused(invalid({ text: ['is too long for one request'] }));
    return {
      audio: writeWav([samples], SPEECH_RATE),
      contentType: 'audio/wav',
      durationMs: Math.round((samples.length * 1000) / SPEECH_RATE),
      engine,
    };
  };

const synthesizeStreamRpc = (
  synthesizer: Synthesizer,
  queue: RequestQueue,
): Handler<typeof SpeechService.method.synthesizeStream, ServicePrincipal> =>
  async function* (request, rpc) {
    const utterance = utteranceOf(request);
    const parts = queue.stream(rpc, request, (context) => synthesizer.synthesizeParts(utterance, context));
    for await (const { text, samples, engine, isLast, standsIn } of parts) {
      const durationMs = Math.round((samples.length * 1000) / TELEPHONE_RATE);
      yield { audio: pcmOf(samples), text, durationMs, engine, last: isLast, standsIn };
    }
  };

function utteranceOf({ text, language, voice }: SynthesizeRequest | SynthesizeStreamRequest): Utterance {
  if (text.trim() === '') throw new Refused(invalid({ text: ["can't be blank"] }));
  if (text.length > SYNTHESIS_LENGTH_MAX) {
    throw new Refused(invalid({ text: [`is too long (maximum is ${SYNTHESIS_LENGTH_MAX} characters)`] }));
  }
  return { text, language, voice };
}

const LANGUAGES_MAX = 100;

const expectCallersRpc =
  (listener: Listener): Handler<typeof SpeechService.method.expectCallers, ServicePrincipal> =>
  async ({ languages }) => {
    if (languages.length > LANGUAGES_MAX) {
      throw new Refused(invalid({ languages: [`are too many (maximum is ${LANGUAGES_MAX})`] }));
    }
    listener.expectCallers(languages);
    return {};
  };

const transcribeRpc =
  (transcriber: Transcriber, queue: RequestQueue): Handler<typeof SpeechService.method.transcribe, ServicePrincipal> =>
  async (request, rpc) => {
    const { audio: wav, language, startMs, moreFollows } = request;
    // Inside the service times are those of the piece, outside those of the recording.
    const inRecording = (ms: number) => ms + startMs;
    const doneUntilMs = request.transcribedUntilMs.map((ms) => ms - startMs);
    const transcript = await queue.run(rpc, { companyId: request.companyId }, (context) =>
      transcriber.transcribe({ wav, language, moreFollows, doneUntilMs }, context),
    );
    if (!transcript) throw new Refused(invalid({ audio: ['is not a WAV file that can be read'] }));
    const { segments, durationMs, engine } = transcript;
    const transcribedUntilMs = transcript.doneUntilMs.map(inRecording);
    return {
      segments: segments.map((segment) => ({
        ...segment,
        startMs: inRecording(segment.startMs),
        endMs: inRecording(segment.endMs),
      })),
      channelCount: transcribedUntilMs.length,
      durationMs,
      engine,
      continueAtMs: Math.min(...transcribedUntilMs),
      transcribedUntilMs,
    };
  };

const SENTENCES_USUAL = 4;
const SENTENCES_MAX = 20;
/** A call of four hours. */
const SUMMARY_LENGTH_MAX = 250_000;

const summarizeRpc =
  (summarizer: Summarizer, queue: RequestQueue): Handler<typeof SpeechService.method.summarize, ServicePrincipal> =>
  async (request, rpc) => {
    const { text, segments, language, sentencesMax } = request;
    const passages = [text, ...segments.map((segment) => segment.text)].filter((passage) => passage.trim() !== '');
    if (passages.reduce((sum, { length }) => sum + length, 0) > SUMMARY_LENGTH_MAX) {
      throw new Refused(invalid({ text: [`is too long (maximum is ${SUMMARY_LENGTH_MAX} characters)`] }));
    }
    if (passages.length === 0) return { summary: '', engine: '' };
    const { text: summary, engine } = await queue.run(rpc, request, (context) => {
      const count = Math.min(sentencesMax > 0 ? sentencesMax : SENTENCES_USUAL, SENTENCES_MAX);
      return summarizer.summarize({ passages, language, sentencesMax: count }, context);
    });
    return { summary, engine };
  };

const TEXTS_MAX = 256;
const EMBED_LENGTH_MAX = 20_000;

const embedRpc =
  (embedder: Embedder, queue: RequestQueue): Handler<typeof SpeechService.method.embed, ServicePrincipal> =>
  async (request, rpc) => {
    const { texts } = request;
    if (texts.length > TEXTS_MAX) throw new Refused(invalid({ texts: [`are too many (maximum is ${TEXTS_MAX})`] }));
    const long = texts.findIndex(({ length }) => length > EMBED_LENGTH_MAX);
    if (long !== -1) {
      throw new Refused(invalid({ [`texts[${long}]`]: [`is too long (maximum is ${EMBED_LENGTH_MAX} characters)`] }));
    }
    const { vectors, model } = await queue.run(rpc, request, (context) => embedder.embed(texts, context));
    return {
      vectors: vectors.map((vector) => ({ values: [...vector] })),
      model,
      dimensions: vectors[0]?.length ?? 0,
    };
  };
