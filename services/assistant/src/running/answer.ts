import type { EmbeddedEngine, Heard, Sentence, SessionFacts, Turn } from '../engine/engine.ts';
import type { EngineInUse } from '../sessions/outcome.ts';
import type { SessionEventName } from '../sessions/session-item.ts';

/** What an answer does while it is decided. */
export interface AnswerHooks {
  /** The caller's words as they may be stored. Called before anything is said. */
  heardAs(text: string, isMasked: boolean): void;
  /** Spoken at once, in this order. */
  say(sentence: Sentence, by: EngineInUse): void;
  note(event: SessionEventName, detail: string | null): void;
  /** Tokens of a model. `costMicros`: null without prices. */
  used(tokens: { readonly input: number; readonly output: number; readonly costMicros: number | null }): void;
}

/** The rest of a turn whose sentences were said. */
export type Answered = Omit<Turn<unknown>, 'say' | 'heard' | 'masked'> & { readonly engine: EngineInUse };

/** Answers what was heard, by whichever engine. */
export type Answer = (state: unknown, facts: SessionFacts, heard: Heard, hooks: AnswerHooks) => Promise<Answered>;

/** Says a whole turn. */
function sayTurn(turn: Turn<unknown>, hooks: AnswerHooks): Answered {
  const { say, heard, masked, ...rest } = turn;
  if (heard !== null) hooks.heardAs(heard, masked);
  for (const sentence of say) hooks.say(sentence, 'embedded');
  return { ...rest, engine: 'embedded' };
}

/** Answers by the embedded engine. `embed`: null where the meaning of words is not known. */
export function embeddedAnswer(
  engine: EmbeddedEngine<unknown>,
  embed: (text: string) => Promise<Float32Array | null>,
): Answer {
  return async (state, facts, heard, hooks) => {
    const vector = heard.kind === 'words' ? await embed(heard.text) : null;
    return sayTurn(engine.decideTurn(state, facts, heard, { vector }), hooks);
  };
}
