import { Priority, SpeechService } from '@parley/proto/speech/v1/speech_pb';
import type { Channel } from '@parley/rpc';
import { isWav, readWavChunks, wavHeader } from '@parley/audio';
import { type Prompt, promptKey } from './prompt.ts';
import { splitText } from './split-text.ts';

/** A prompt's audio. */
export interface Speech {
  readonly audio: Uint8Array;
  readonly contentType: string;
  readonly durationMs: number;
  readonly engine: string;
}

/** Speech is needed by nobody now, by an interactive user, or by a caller on the line. */
type SpeechPriority = 'background' | 'interactive' | 'call';

export interface SynthesisOrder {
  readonly companyId: string;
  readonly priority: SpeechPriority;
  /** Called between the parts of a long text; once it is no longer needed, synthesis ends with `NoLongerNeeded`. */
  readonly isNeeded?: () => Promise<boolean>;
}

/** Synthesizes a prompt, however long; throws when the speech service cannot. */
export type SynthesizePrompt = (prompt: Prompt, order: SynthesisOrder) => Promise<Speech>;

/** All requests for the prompt were cancelled before it was finished. */
export class NoLongerNeeded extends Error {
  constructor() {
    super('the prompt is no longer wanted');
    this.name = 'NoLongerNeeded';
  }
}

/** Waiting behind others included. */
const PART_TIMEOUT_MS = 60_000;

const priorities: Record<SpeechPriority, Priority> = {
  background: Priority.BACKGROUND,
  interactive: Priority.INTERACTIVE,
  call: Priority.CALL,
};

export interface Synthesizer {
  readonly synthesizePrompt: SynthesizePrompt;
  /** When the speech service last finished anything, in milliseconds of `performance.now()`. */
  lastProgressAt(): number;
}

/** A synthesis in progress and the requests that wait for it. */
interface Synthesis {
  readonly orders: SynthesisOrder[];
  readonly speech: Promise<Speech>;
  /** To be called after an order was added. */
  readonly hasten: () => void;
}

/** A request for a prompt that is already being synthesized shares its audio, and adds its priority. */
export function speechClient(channel: Channel): Synthesizer {
  const service = channel.client(SpeechService);
  const inProgress = new Map<string, Synthesis>();
  let lastProgressAt = 0;

  /** Begins with a part of a prompt; `hasten` requests it with the priority of an order that was added meanwhile. */
  function begin(part: Prompt, orders: readonly SynthesisOrder[]) {
    const first = Promise.withResolvers<Speech>();
    const isDone = new AbortController();
    let open = 0;
    let requestedAs: Priority | undefined;

    function request(): void {
      const { companyId, priority: wanted } = mostUrgent(orders);
      const priority = priorities[wanted];
      if (isDone.signal.aborted || (requestedAs !== undefined && priority <= requestedAs)) return;
      requestedAs = priority;
      open += 1;
      const options = { timeoutMs: PART_TIMEOUT_MS, signal: isDone.signal };
      service.synthesize({ ...part, companyId, priority }, options).then(answered, failed);
    }

    function answered(speech: Speech): void {
      first.resolve(speech);
      // Of two requests, one may still wait.
      isDone.abort();
    }

    function failed(error: unknown): void {
      open -= 1;
      if (open === 0) first.reject(error);
    }

    request();
    return { speech: first.promise, hasten: request };
  }

  function synthesize({ text, language, voice }: Prompt, orders: readonly SynthesisOrder[]) {
    let current: ReturnType<typeof begin> | undefined;
    async function speakAll(): Promise<Speech> {
      const parts: Speech[] = [];
      for (const part of splitText(text, language)) {
        if (parts.length > 0 && !(await anyNeeded(orders))) throw new NoLongerNeeded();
        current = begin({ text: part, language, voice }, orders);
        parts.push(await current.speech);
        lastProgressAt = performance.now();
      }
      return joinSpeech(parts);
    }
    return { speech: speakAll(), hasten: () => current?.hasten() };
  }

  return {
    lastProgressAt: () => lastProgressAt,
    synthesizePrompt(prompt, order) {
      const key = promptKey(prompt);
      const known = inProgress.get(key);
      if (known) {
        known.orders.push(order);
        known.hasten();
        return known.speech;
      }
      const orders = [order];
      const { speech: made, hasten } = synthesize(prompt, orders);
      const speech = made.finally(() => inProgress.delete(key));
      inProgress.set(key, { orders, speech, hasten });
      return speech;
    },
  };
}

async function anyNeeded(orders: readonly SynthesisOrder[]): Promise<boolean> {
  for (const { isNeeded } of orders) if (isNeeded === undefined || (await isNeeded())) return true;
  return false;
}

function mostUrgent(orders: readonly SynthesisOrder[]): SynthesisOrder {
  return orders.reduce((a, b) => (priorities[b.priority] > priorities[a.priority] ? b : a));
}

function joinSpeech(parts: readonly Speech[]): Speech {
  const [first] = parts;
  if (!first || parts.some(({ audio }) => audio.length === 0)) throw new Error('the speech service returned no audio');
  if (parts.length === 1) return first;
  return {
    ...first,
    audio: joinWavs(parts.map(({ audio }) => audio)),
    durationMs: parts.reduce((sum, { durationMs }) => sum + durationMs, 0),
  };
}

interface Wav {
  /** The encoding of the samples, from the file's header. */
  readonly format: Uint8Array;
  readonly samples: Uint8Array;
}

/** One WAV file with the samples of all, in order. They must have the same format. */
export function joinWavs(files: readonly Uint8Array[]): Uint8Array {
  const wavs = files.map(readWav);
  const [first] = wavs;
  if (!first) throw new Error('nothing to join');
  if (wavs.some(({ format }) => Buffer.compare(format, first.format) !== 0))
    throw new Error('cannot join WAV files of different formats');
  const length = wavs.reduce((sum, { samples }) => sum + samples.length, 0);
  return Buffer.concat([wavHeader(first.format, length), ...wavs.map(({ samples }) => samples)]);
}

function readWav(file: Uint8Array): Wav {
  if (!isWav(file)) throw new Error('not a WAV file');
  const chunks = readWavChunks(file);
  if (!chunks) throw new Error('a WAV file without samples');
  return { format: chunks.format, samples: file.subarray(chunks.dataStart, chunks.dataEnd) };
}
