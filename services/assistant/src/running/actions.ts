import type { Action, ActionResult, EmbeddedEngine, Sentence, SessionFacts } from '../engine/engine.ts';
import type { LoadedFacts } from '../facts/loaded-facts.ts';
import type { TakenMessage } from '../sessions/session-content.ts';
import type { ItemLog } from './item-log.ts';
import {
  actionWithResult,
  beginAction,
  hasItem,
  newActionItem,
  openAction,
  type OpenAction,
  storedAction,
  type StoredAction,
} from './open-action.ts';
import { madeAhead, sentencesOfResults } from './ringing-audio.ts';
import { perform, type Performed, type SessionWork } from './session-work.ts';
import type { SentenceAudio } from './turn-playback.ts';

export interface ActionDeps {
  readonly engine: EmbeddedEngine<unknown>;
  readonly audio: SentenceAudio;
  readonly items: ItemLog;
  readonly work: SessionWork;
  readonly now: () => Date;
  readonly prepareAudio: (texts: readonly string[]) => void;
  readonly over: AbortSignal;
  readonly warn: (error: unknown) => void;
}

/** What a conversation is told about its actions. */
export interface ActionEvents {
  begins(action: Action): void;
  /** Somebody rings: the caller waits. */
  rings(): void;
  /** To be answered. */
  ended(actionId: string, result: ActionResult): void;
  /** Stores what is open, and a message that was taken. */
  save(message?: TakenMessage): Promise<void>;
  /** Says something to who answers; resolves at its end. */
  speak(sentence: Sentence, audio: SentenceAudio): Promise<void>;
}

interface Whisper {
  readonly sentence: Sentence;
  readonly audio: SentenceAudio;
}

/** What a session does outside itself: one action after the other, each of them open until its result is answered. */
export class Actions {
  readonly #deps: ActionDeps;
  readonly #on: ActionEvents;
  #open: OpenAction | undefined;
  /** What who answers hears. */
  #whisper: Whisper | undefined;

  /** `stored`: what was open in the process that had the session before. */
  constructor(deps: ActionDeps, on: ActionEvents, stored?: StoredAction) {
    this.#deps = deps;
    this.#on = on;
    this.#open = stored && openAction(deps.items, stored);
  }

  get open(): OpenAction | undefined {
    return this.#open;
  }

  /** Somebody rings, or hears who calls. */
  get isRinging(): boolean {
    return this.#open?.isRinging ?? false;
  }

  get stored(): StoredAction | undefined {
    return this.#open && storedAction(this.#open);
  }

  /** It is done once the caller has heard what is said about it. */
  decide(action: Action): void {
    this.#open = { action };
  }

  /** The caller did not hear what was to be done. */
  withdraw(): void {
    this.#open = undefined;
  }

  /** Its result is answered. */
  close(actionId: string): void {
    if (this.#open?.action.id === actionId) this.#open = undefined;
  }

  /** Does what is open. A process that continues the session does it again: it has one effect. `state`: of the engine. */
  async perform({ action, item: before }: OpenAction, loaded: LoadedFacts, state: unknown): Promise<void> {
    const { items, work, now, over, warn } = this.#deps;
    this.#on.begins(action);
    const item = before ?? (hasItem(action) ? items.add(newActionItem(action, loaded, now())) : undefined);
    const begun = beginAction(action, item);
    this.#open = begun;
    if (begun.isRinging) this.#prepareRinging(action, loaded.facts, state);
    await this.#on.save();
    const { result, message } = await perform(work, action, loaded, over).catch((error: unknown): Performed => {
      warn(error);
      return { result: 'failed' };
    });
    // Of a transfer, the session may have been told already.
    if (result === 'pending') return this.isRinging ? this.#on.rings() : undefined;
    item?.change({ result, endedAt: now() });
    this.#open = actionWithResult(begun, result);
    await this.#on.save(message);
    this.#on.ended(action.id, result);
  }

  /** An employee has answered: they hear who calls, and are connected then. */
  whisper(actionId: string): void {
    if (this.#open?.action.id !== actionId || !this.#whisper) return;
    this.#speakWhisper(actionId, this.#whisper).catch(this.#deps.warn);
  }

  /** The session is told what became of a transfer. True when that was not known. */
  endTransfer(actionId: string, result: ActionResult): boolean {
    const open = this.#open;
    if (open?.action.id !== actionId || open.result) return false;
    open.item?.change({ result, endedAt: this.#deps.now() });
    this.#open = actionWithResult(open, result);
    return true;
  }

  /** Whoever answers, and a caller whom nobody answers, hears the assistant at once. */
  #prepareRinging(action: Action, facts: SessionFacts, state: unknown): void {
    const { engine, audio, prepareAudio, over } = this.#deps;
    const sentence = { text: engine.whisper(action, facts), key: null, sources: [], interruptible: false };
    this.#whisper = { sentence, audio: madeAhead(audio, sentence, over) };
    prepareAudio(sentencesOfResults(engine, state, facts, action));
  }

  async #speakWhisper(actionId: string, { sentence, audio }: Whisper): Promise<void> {
    // Without a voice they are connected all the same.
    await this.#on.speak(sentence, audio).catch(this.#deps.warn);
    await this.#deps.work.finishWhisper(actionId);
  }
}
