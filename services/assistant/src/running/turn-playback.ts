import { setTimeout as sleep } from 'node:timers/promises';
import type { Clip, PlayoutQueue } from '@parley/sip';
import type { Sentence } from '../engine/engine.ts';
import { resumeAtMs, spokenPart } from './spoken-part.ts';

/** Where the audio of sentences comes from: in pieces of 8 kHz, as soon as they are there, and the first one in time. */
export type SentenceAudio = (
  sentence: Sentence,
  signal: AbortSignal,
  firstPieceMsMax: number,
) => AsyncIterable<Int16Array>;

/** Said while the audio of an answer is not there yet. */
export interface Filler {
  readonly sentence: Sentence;
  readonly afterMs: number;
  /** The caller hears it now. */
  said(): void;
}

/** A caller hears nothing until the first piece is there; beyond that there is no voice. */
const FIRST_PIECE_MS_MAX = 3500;
/** After something was heard: a busy machine is waited for. */
const NEXT_PIECE_MS_MAX = 10_000;

interface PlayedSentence {
  readonly sentence: Sentence;
  readonly clip: Clip;
  /** Resolves once its audio is complete, or was given up. */
  readonly made: Promise<void>;
  isComplete(): boolean;
}

/** About as long as a letter takes to be spoken. */
const LETTER_MS = 65;
const guessedMs = ({ text }: Sentence): number => text.length * LETTER_MS;

/** The audio of a sentence could not be made. */
export class SpeechUnavailable extends Error {
  override readonly name = 'SpeechUnavailable';
}

/**
 * The sentences of one turn of the assistant, played one after the other. Sentences may be added while earlier ones are played; the turn
 * is over when the last one was played after `finish`, or when it was dropped.
 */
export class TurnPlayback {
  /** All was played, or the rest was dropped; rejects when the audio of a sentence could not be made. */
  readonly over: Promise<void>;
  readonly #queue: PlayoutQueue;
  readonly #audio: SentenceAudio;
  readonly #aborted = new AbortController();
  readonly #sentences: PlayedSentence[] = [];
  #isFinished = false;
  #isStopped = false;
  #resolve: () => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;
  /** Sentences are synthesized one after the other: the first one is heard sooner. */
  #making: Promise<void> = Promise.resolve();
  readonly #filler: Filler | undefined;
  #fillerTimer: NodeJS.Timeout | undefined;

  constructor(queue: PlayoutQueue, audio: SentenceAudio, filler?: Filler) {
    this.#queue = queue;
    this.#audio = audio;
    this.#filler = filler;
    this.over = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.over.catch(() => undefined).finally(() => clearTimeout(this.#fillerTimer));
  }

  get sentences(): readonly Sentence[] {
    return this.#sentences.map(({ sentence }) => sentence);
  }

  get isDropped(): boolean {
    return this.#aborted.signal.aborted;
  }

  /** Whether any of it has been heard. */
  get hasBegun(): boolean {
    return this.#sentences.some(({ clip }) => clip.playedMs > 0);
  }

  add(sentence: Sentence): void {
    if (this.isDropped || sentence.text === '') return;
    const clip = this.#queue.play();
    if (this.#isStopped) this.#queue.stop();
    const isFirst = this.#sentences.length === 0;
    if (isFirst && this.#filler) this.#sayLater(this.#filler, clip);
    let isComplete = false;
    const made = this.#making
      .then(() => this.#make(sentence, clip, isFirst && !this.#filler ? FIRST_PIECE_MS_MAX : NEXT_PIECE_MS_MAX))
      .then(() => void (isComplete = true))
      .catch((error: unknown) => this.#fail(error));
    this.#making = made;
    this.#sentences.push({ sentence, clip, made, isComplete: () => isComplete });
  }

  /** Nothing is added any more. */
  finish(): void {
    this.#isFinished = true;
    this.#check();
  }

  /** A clip of the queue was played. */
  onPlayed(clip: Clip): void {
    if (this.#sentences.some((played) => played.clip === clip)) this.#check();
  }

  /** Silent within a frame; the rest can be resumed. */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#queue.stop();
  }

  /** Goes on with the word it was stopped in. */
  resume(): void {
    if (!this.#isStopped || this.isDropped) return;
    this.#isStopped = false;
    const rest = this.#sentences.filter(({ clip }) => clip.state === 'stopped');
    // Each is played before those that are there already.
    for (const { sentence, clip } of rest.reverse()) this.#queue.resume(clip, resumeAtMs(sentence.text, clip));
    this.#check();
  }

  /** The rest is not said. */
  drop(): void {
    if (this.isDropped) return;
    this.stop();
    this.#aborted.abort();
    this.#resolve();
  }

  /** What the caller has heard. */
  get spoken(): string {
    return this.#sentences
      .map(({ sentence, clip }) => (clip.state === 'played' ? sentence.text : spokenPart(sentence.text, clip)))
      .filter((text) => text !== '')
      .join(' ');
  }

  /** How long the first sentences are, once their audio is known; a guess when that takes too long. */
  async lengthOf(count: number, waitMs: number): Promise<number> {
    const first = this.#sentences.slice(0, count);
    const made = Promise.all(first.map(({ made: isMade }) => isMade));
    await Promise.race([made, sleep(waitMs, undefined, { ref: false })]);
    return first.reduce(
      (sum, { sentence, clip, isComplete }) => sum + (isComplete() ? clip.lengthMs : guessedMs(sentence)),
      0,
    );
  }

  #sayLater(filler: Filler, first: Clip): void {
    const isLate = () => first.lengthMs === 0 && !this.isDropped && !this.#isStopped;
    this.#fillerTimer = setTimeout(() => {
      if (isLate()) this.#sayMeanwhile(filler, isLate).catch(() => undefined);
    }, filler.afterMs).unref();
  }

  async #sayMeanwhile({ sentence, said }: Filler, isLate: () => boolean): Promise<void> {
    const pieces = await Array.fromAsync(this.#audio(sentence, this.#aborted.signal, FIRST_PIECE_MS_MAX));
    if (!isLate()) return;
    const clip = this.#queue.playFirst(Int16Array.from(pieces.flatMap((piece) => [...piece])));
    this.#sentences.unshift({ sentence, clip, made: Promise.resolve(), isComplete: () => true });
    said();
  }

  async #make(sentence: Sentence, clip: Clip, firstPieceMsMax: number): Promise<void> {
    const { signal } = this.#aborted;
    if (signal.aborted) return;
    for await (const samples of this.#audio(sentence, signal, firstPieceMsMax)) {
      if (signal.aborted) return;
      clip.append(samples);
    }
    clip.finish();
  }

  #fail(error: unknown): void {
    if (this.isDropped) return;
    this.stop();
    this.#aborted.abort();
    this.#reject(new SpeechUnavailable('no audio', { cause: error }));
  }

  #check(): void {
    if (this.#isFinished && this.#sentences.every(({ clip }) => clip.state === 'played')) this.#resolve();
  }
}
