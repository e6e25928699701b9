import type { ListenRequestSchema, ListenResponse } from '@parley/proto/speech/v1/speech_pb';
import type { MessageInitShape } from '@bufbuild/protobuf';

type ListenRequest = MessageInitShape<typeof ListenRequestSchema>;

/** Opens a stream of the speech service. */
export type Listen = (requests: AsyncIterable<ListenRequest>, signal: AbortSignal) => AsyncIterable<ListenResponse>;

/** What is heard of a caller; times are milliseconds of the session's audio. */
export interface HearingEvents {
  began(atMs: number): void;
  paused(atMs: number): void;
  /** The engines are loaded. */
  ready(): void;
  recognised(said: { readonly startMs: number; readonly endMs: number; readonly text: string }): void;
  /** The speech service does not answer any more. */
  failed(error: unknown): void;
}

interface HearingOptions {
  readonly listen: Listen;
  readonly language: string;
  readonly companyId: string;
  /** The session's audio so far: the stream counts from its own beginning. */
  readonly fromMs: number;
  readonly events: HearingEvents;
}

/** Frames are sent two at a time: a message costs more than what is in it. */
const FRAMES_PER_MESSAGE = 2;
/** Audio that waits to be sent; a service that is so far behind does not hear in time any more. */
const WAITING_MAX = 250;

/** One stream of a caller's audio to the speech service. While nobody is to be heard there is none. */
export class Hearing {
  readonly #events: HearingEvents;
  readonly #fromMs: number;
  readonly #stopped = new AbortController();
  #frames: Int16Array[] = [];
  #requests: ListenRequest[] = [];
  #wake: () => void = () => undefined;

  constructor({ listen, language, companyId, fromMs, events }: HearingOptions) {
    this.#events = events;
    this.#fromMs = fromMs;
    this.#requests.push({ request: { case: 'start', value: { language, companyId } } });
    this.#read(listen).catch((error: unknown) => this.#fail(error));
  }

  push(samples: Int16Array): void {
    if (this.#stopped.signal.aborted) return;
    this.#frames.push(samples);
    if (this.#frames.length < FRAMES_PER_MESSAGE) return;
    const audio = joined(this.#frames);
    this.#frames = [];
    this.#send({ request: { case: 'audio', value: audio } });
  }

  /** What was said until then is answered. */
  taken(untilMs: number): void {
    this.#send({ request: { case: 'taken', value: { untilMs: Math.max(0, Math.round(untilMs - this.#fromMs)) } } });
  }

  stop(): void {
    this.#stopped.abort();
    this.#wake();
  }

  #send(request: ListenRequest): void {
    if (this.#stopped.signal.aborted) return;
    if (this.#requests.length >= WAITING_MAX) return this.#fail(new Error('the speech service is too slow'));
    this.#requests.push(request);
    this.#wake();
  }

  async #read(listen: Listen): Promise<void> {
    const { signal } = this.#stopped;
    try {
      for await (const { response } of listen(this.#written(), signal)) {
        if (signal.aborted) return;
        if (response.case === 'began') this.#events.began(this.#fromMs + response.value.atMs);
        else if (response.case === 'paused') this.#events.paused(this.#fromMs + response.value.atMs);
        else if (response.case === 'ready') this.#events.ready();
        else if (response.case === 'recognized') {
          const { startMs, endMs, text } = response.value;
          this.#events.recognised({ startMs: this.#fromMs + startMs, endMs: this.#fromMs + endMs, text });
        }
      }
      if (!signal.aborted) this.#fail(new Error('the speech service ended the stream'));
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#stopped.signal.aborted) return;
    this.stop();
    this.#events.failed(error);
  }

  async *#written(): AsyncIterable<ListenRequest> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const next = this.#requests.shift();
      if (next) yield next;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

/** As little-endian PCM. */
function joined(frames: readonly Int16Array[]): Uint8Array {
  const bytes = Buffer.alloc(frames.reduce((sum, { length }) => sum + length * 2, 0));
  let at = 0;
  for (const frame of frames) for (const sample of frame) at = bytes.writeInt16LE(sample, at);
  return bytes;
}
