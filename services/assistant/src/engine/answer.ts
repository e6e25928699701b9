import type { Heard, Sentence, SessionFacts, Turn } from './engine.ts';

/** What decides the next sentence. */
export type EngineInUse = 'embedded' | 'endpoint';

/** What happened to an engine while it decided. */
export type AnswerEvent = 'filler' | 'endpoint_failed' | 'engine_changed' | 'reply_replaced';

/** What an answer does while it is decided. */
export interface AnswerHooks {
  /** The caller's words as they may be stored. Called before anything is said. */
  heardAs(text: string, isMasked: boolean): void;
  /** Spoken at once, in this order. */
  say(sentence: Sentence, by: EngineInUse): void;
  note(event: AnswerEvent, detail: string | null): void;
  /** Tokens of a model. `costMicros`: null without prices. */
  used(tokens: { readonly input: number; readonly output: number; readonly costMicros: number | null }): void;
  /** Aborted when the caller has interrupted, or is gone: nothing more is waited for. */
  readonly signal?: AbortSignal;
}

/** The rest of a turn whose sentences were said. */
export type Answered<State = unknown> = Omit<Turn<State>, 'say' | 'heard' | 'masked'> & {
  /** What answers the session now; not always what answered this turn. */
  readonly engine: EngineInUse;
};

/** Answers what was heard, by whichever engine. */
export type Answer<State = unknown> = (
  state: State,
  facts: SessionFacts,
  heard: Heard,
  hooks: AnswerHooks,
) => Promise<Answered<State>>;
