import { setTimeout as sleep } from 'node:timers/promises';
import type { Clip, PlayoutQueue } from '@parley/sip';
import type { Sentence } from '../engine/engine.ts';
import { resumeAtMs, spokenPart } from './spoken-part.ts';

/** Where the audio of sentences comes from: in pieces of 8 kHz, as soon as they are there. */
export type SentenceAudio = (sentence: Sentence, signal: AbortSignal) => AsyncIterable<Int16Array>;

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

  constructor(queue: PlayoutQueue, audio: SentenceAudio) {
    this.#queue = queue;
    this.#audio = audio;
    this.over = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.over.catch(() => undefined);
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
    let isComplete = false;
    const made = this.#making
      .then(() => this.#make(sentence, clip))
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

  async #make(sentence: Sentence, clip: Clip): Promise<void> {
    const { signal } = this.#aborted;
    if (signal.aborted) return;
    for await (const samples of this.#audio(sentence, signal)) {
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
