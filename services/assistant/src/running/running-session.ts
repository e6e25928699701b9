import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SipCall } from '@parley/sip';
import type { AudioDecision, AudioEvent } from '../turn-taking/turn-taking.ts';
import type { SessionUpdate } from '../sessions/session-update.ts';
import type { ActionResult } from '../engine/engine.ts';
import { Conversation, type ConversationDeps, type ConversationProgress } from './conversation.ts';
import { Hearing, type Listen } from './hearing.ts';

/** Decides from what is heard when somebody has finished, or interrupts. */
export interface TurnTaking {
  step(event: AudioEvent): readonly AudioDecision[];
}

export interface RunningSessionDeps extends Omit<
  ConversationDeps,
  'playout' | 'audioMs' | 'takeEvent' | 'stopListening' | 'save'
> {
  readonly call: Pick<SipCall, 'playout' | 'hangUp'>;
  readonly listen: Listen;
  readonly companyId: string;
  readonly language: string;
  readonly attempt: number;
  readonly maxDurationSecs: number;
  readonly connectedAt: () => Date | null;
  readonly turnTaking: TurnTaking;
  /** The updates of call-control that are not applied yet. */
  readonly save: (progress: ConversationProgress, appliedUpdate: number) => Promise<void>;
  readonly readUpdates: () => Promise<readonly SessionUpdate[]>;
}

const FRAME_MS = 20;
/** Turn taking looks at the time this often. */
const TICK_MS = 40;
/** The product's clock is looked at this often: how long the session may last, and updates whose signal was lost. */
const LOOK_MS = 1000;
/**
 * How soon the caller is heard, otherwise they go on without the assistant: while engines are being loaded, which takes long on a
 * machine that is busy; after listening failed before the engines were there; and after it failed later.
 */
const READY_MS_MAX = { loading: 20_000, failing: 8000, again: 4000 };
const LISTEN_AGAIN_MS = 200;
const WARNING_SECS = 30;
/** What became of a transfer is told about as soon as the leg ends. */
const REST_MS_MAX = 1500;
const REST_POLL_MS = 50;
/** Times of turn taking and of the stream are rounded. */
const ROUNDED_MS = 40;

/** The audio of a session in this process: what is heard becomes turns, and updates of call-control change what is going on. */
export class RunningSession {
  readonly #deps: RunningSessionDeps;
  readonly #conversation: Conversation;
  #hearing: Hearing | undefined;
  #audioMs = 0;
  #appliedUpdate = 0;
  #applying: Promise<void> = Promise.resolve();
  /** The utterance that turn taking asked for, until its words are there. */
  #utterance: number | undefined;
  /** The last pause of the caller, and until when words were taken: what was recognised before is outdated. */
  #pausedMs = 0;
  #takenMs = 0;
  #listeningLimit: NodeJS.Timeout | undefined;
  /** Listening has failed since the engines were last there. */
  #isFailing = false;
  #isConnected = false;
  /** Which limit of its duration the session has passed. */
  #passed: 'time_warning' | 'time_over' | undefined;
  #isOver = false;
  /** Not in the scope of the request that stored an update: its deadline is none of the session's. */
  readonly #inSession = AsyncLocalStorage.snapshot();

  constructor(deps: RunningSessionDeps) {
    this.#deps = deps;
    this.#conversation = new Conversation({
      ...deps,
      playout: deps.call.playout,
      audioMs: () => this.#audioMs,
      takeEvent: (event) => this.#take(event),
      stopListening: () => this.#stopListening(),
      save: (progress) => deps.save(progress, this.#appliedUpdate),
    });
    // Engines are loaded while caller and assistant are being connected.
    this.#startListening();
  }

  /** A frame of 20 ms arrived, or should have. */
  onAudio(samples: Int16Array): void {
    this.#audioMs += FRAME_MS;
    this.#hearing?.push(samples);
    this.#conversation.onFrame();
    if (this.#audioMs % TICK_MS === 0 && this.#hearing) this.#take({ kind: 'tick', atMs: this.#audioMs });
    if (this.#audioMs % LOOK_MS === 0) this.#look();
  }

  onKey(key: string): void {
    if (this.#hearing && this.#isConnected) this.#take({ kind: 'key', atMs: this.#audioMs, key });
  }

  onPlayed(clip: Parameters<Conversation['onPlayed']>[0]): void {
    this.#conversation.onPlayed(clip);
  }

  /** Something was stored for this session. */
  readUpdates(): void {
    this.#inSession(() => this.#readUpdates());
  }

  #readUpdates(): void {
    this.#applying = this.#applying
      .then(() => this.#applyUpdates())
      .catch((error: unknown) =>
        this.#deps.log.warn({ err: error }, 'updates of a session not read; they are read again'),
      );
  }

  /** The leg has ended, or this process stops: what is left is stored. */
  async end(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopListening();
    this.#conversation.leave();
    const until = performance.now() + REST_MS_MAX;
    do {
      this.readUpdates();
      await this.#applying;
      if (!this.#conversation.isRinging) break;
      await sleep(REST_POLL_MS);
    } while (performance.now() < until);
    await this.#conversation.end();
  }

  async #applyUpdates(): Promise<void> {
    for (const update of await this.#deps.readUpdates()) {
      if (update.sequence <= this.#appliedUpdate) continue;
      this.#appliedUpdate = update.sequence;
      await this.#apply(update);
    }
  }

  async #apply(update: SessionUpdate): Promise<void> {
    const conversation = this.#conversation;
    switch (update.kind) {
      case 'connected':
        if (update.attempt !== this.#deps.attempt || this.#isConnected) return;
        this.#isConnected = true;
        return conversation.begin();
      case 'transfer_answered':
        return conversation.whisper(update.actionId);
      case 'transfer_result':
        if (update.result !== 'connected') this.#startListening();
        return conversation.transferEnded(update.actionId, update.result as ActionResult);
      case 'takeover_requested':
        return conversation.noteEvent('takeover_requested', update.by.name);
      case 'ended':
        this.#deps.call.hangUp();
        return;
    }
  }

  #startListening(): void {
    this.#stopListening();
    if (this.#isOver) return;
    this.#isFailing = false;
    this.#limitListening(READY_MS_MAX.loading);
    this.#listen();
  }

  #listen(): void {
    const { listen, language, companyId } = this.#deps;
    const hearing = new Hearing({
      listen,
      language,
      companyId,
      fromMs: this.#audioMs,
      events: {
        ready: () => {
          this.#isFailing = false;
          this.#limitListening(null);
        },
        began: (atMs) => this.#take({ kind: 'voice_began', atMs }),
        paused: (atMs) => {
          this.#pausedMs = atMs;
          // An answer is probably wanted soon: what it needs is read while the words are recognised.
          this.#deps.loadFacts().catch(() => undefined);
          this.#take({ kind: 'voice_paused', atMs });
        },
        recognised: (said) => this.#recognised(said),
        failed: (error) => this.#listeningFailed(hearing, error),
      },
    });
    this.#hearing = hearing;
  }

  #stopListening(): void {
    this.#limitListening(null);
    this.#hearing?.stop();
    this.#hearing = undefined;
  }

  /** Without engines by then, the caller goes on without the assistant; null: they are there. */
  #limitListening(readyMsMax: number | null): void {
    clearTimeout(this.#listeningLimit);
    this.#listeningLimit =
      readyMsMax === null
        ? undefined
        : setTimeout(() => {
            this.#stopListening();
            this.#conversation.handOver('speech_unavailable');
          }, readyMsMax);
  }

  #recognised({ startMs, endMs, text }: { startMs: number; endMs: number; text: string }): void {
    const isOutdated = startMs < this.#takenMs - ROUNDED_MS || endMs < this.#pausedMs - ROUNDED_MS;
    if (this.#utterance === undefined || isOutdated) return;
    this.#take({ kind: 'recognised', atMs: this.#audioMs, utterance: this.#utterance, text });
  }

  #taken(untilMs: number): void {
    this.#takenMs = untilMs;
    this.#utterance = undefined;
    this.#hearing?.taken(untilMs);
  }

  /** The process of the engines may have ended: another one takes its place soon. What was being said is lost. */
  #listeningFailed(failed: Hearing, error: unknown): void {
    this.#deps.log.warn({ err: error }, 'listening to a caller failed');
    const isLoading = this.#listeningLimit !== undefined;
    if (!this.#isFailing) this.#limitListening(isLoading ? READY_MS_MAX.failing : READY_MS_MAX.again);
    this.#isFailing = true;
    this.#pausedMs = this.#audioMs;
    this.#take({ kind: 'voice_paused', atMs: this.#audioMs });
    this.#recognised({ startMs: this.#audioMs, endMs: this.#audioMs, text: '' });
    setTimeout(() => {
      if (this.#hearing === failed && !this.#isOver) this.#inSession(() => this.#listen());
    }, LISTEN_AGAIN_MS);
  }

  #take(event: AudioEvent): void {
    if (this.#isOver) return;
    for (const decision of this.#deps.turnTaking.step(event)) this.#do(decision);
  }

  #do(decision: AudioDecision): void {
    const conversation = this.#conversation;
    switch (decision.kind) {
      case 'recognise':
        this.#utterance = decision.utterance;
        return;
      case 'take_turn':
        this.#taken(decision.endedAtMs);
        return conversation.hear({ kind: 'words', text: decision.text }, decision);
      case 'unrecognised':
        this.#taken(decision.untilMs);
        return conversation.hear({ kind: 'unrecognised' });
      case 'ignore':
        return this.#taken(decision.untilMs);
      case 'take_keys':
        return conversation.hear({ kind: 'keys', digits: decision.digits });
      case 'silence':
        return conversation.hear({ kind: 'silence' });
      case 'halve_volume':
        return this.#deps.call.playout.setVolume(0.5);
      case 'stop_playback':
        return conversation.stopPlayback();
      case 'resume_playback':
        this.#deps.call.playout.setVolume(1);
        return conversation.resumePlayback();
      case 'drop_playback':
        this.#deps.call.playout.setVolume(1);
        return conversation.dropPlayback();
    }
  }

  /** By the product's clock, and for updates whose signal did not come. */
  #look(): void {
    this.readUpdates();
    const { clock, connectedAt, maxDurationSecs } = this.#deps;
    const since = connectedAt();
    if (!since || !this.#hearing) return;
    const seconds = (clock.now().getTime() - since.getTime()) / 1000;
    const passed =
      seconds >= maxDurationSecs ? 'time_over' : seconds >= maxDurationSecs - WARNING_SECS ? 'time_warning' : null;
    if (passed === null || this.#passed === passed || this.#passed === 'time_over') return;
    this.#passed = passed;
    this.#conversation.hear({ kind: passed });
  }
}
