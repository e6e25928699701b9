import { AsyncLocalStorage } from 'node:async_hooks';
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
/** How often listening is begun again after it failed, before the caller goes on without the assistant. */
const LISTENING_FAILURES_MAX = 2;
const WARNING_SECS = 30;

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
  #listeningFailures = 0;
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
    if (this.#hearing) this.#take({ kind: 'key', atMs: this.#audioMs, key });
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
    await this.#applying;
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
        if (update.attempt !== this.#deps.attempt || this.#hearing) return;
        this.#startListening();
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
    const { listen, language, companyId } = this.#deps;
    this.#hearing = new Hearing({
      listen,
      language,
      companyId,
      fromMs: this.#audioMs,
      events: {
        began: (atMs) => this.#take({ kind: 'voice_began', atMs }),
        paused: (atMs) => this.#take({ kind: 'voice_paused', atMs }),
        recognised: ({ text }) => this.#recognised(text),
        failed: (error) => this.#listeningFailed(error),
      },
    });
  }

  #stopListening(): void {
    this.#hearing?.stop();
    this.#hearing = undefined;
  }

  #recognised(text: string): void {
    if (this.#utterance === undefined) return;
    this.#take({ kind: 'recognised', atMs: this.#audioMs, utterance: this.#utterance, text });
  }

  #listeningFailed(error: unknown): void {
    this.#listeningFailures += 1;
    this.#deps.log.warn({ err: error }, 'listening to a caller failed');
    if (this.#listeningFailures <= LISTENING_FAILURES_MAX) return this.#startListening();
    this.#stopListening();
    this.#conversation.handOver('speech_unavailable');
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
        this.#hearing?.taken(decision.endedAtMs);
        this.#utterance = undefined;
        return conversation.hear({ kind: 'words', text: decision.text }, decision);
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
