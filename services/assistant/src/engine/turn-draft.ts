import type {
  Action,
  Expectation,
  KnowledgeEntryFacts,
  RequestedAction,
  Sentence,
  SessionFacts,
  Source,
  Target,
  Turn,
} from './engine.ts';
import { usableEntries } from './knowledge/usable-entries.ts';
import { chooseVariant, countSaid, fillIn, isUsedUp } from './speaking/unrepeated.ts';
import type { EngineState, Question } from './state.ts';
import { languageOf, sentencesOf } from './words/vocabularies.ts';
import type { SentenceKey } from './words/sentences.ts';

/**
 * A turn while it is decided. What is said, asked and done is added to it in order; `finish` makes the turn of it. A sentence that was
 * said twice already is left out; where nothing else is left to say, the call is handed over.
 */
export interface TurnDraft {
  readonly facts: SessionFacts;
  readonly language: string;
  /** As it will be stored. */
  state: EngineState;
  understood: boolean;
  unanswered: string | null;
  heard: string | null;
  masked: boolean;
  change(change: Partial<EngineState>): void;
  /** A sentence of the product. */
  say(key: SentenceKey, values?: Readonly<Record<string, string>>, options?: SayOptions): boolean;
  /** What the company wrote, or a model. False when it was said twice already. */
  sayText(text: string, options?: SayOptions): boolean;
  /** What the caller is asked; `say` has said it. */
  ask(question: Question | null, expects: Expectation): void;
  /** Takes back what was to be said. */
  unsay(): void;
  perform(action: RequestedAction, context?: Partial<Pick<Action, 'matter' | 'callerName'>>): void;
  target(id: string): Target | undefined;
  entry(id: string): KnowledgeEntryFacts | undefined;
  finish(): Turn<EngineState>;
}

interface SayOptions {
  readonly sources?: readonly Source[];
  readonly interruptible?: boolean;
}

/** In the place of what the caller said, or of what is known of the caller. */
const NOT_TOLD = '…';

/** What is filled in from the caller. */
const CALLER_VALUES: Readonly<Partial<Record<SentenceKey, Readonly<Record<string, string>>>>> = {
  hello_name: { name: NOT_TOLD },
  repeat_message: { text: NOT_TOLD },
  repeat_name: { name: NOT_TOLD },
  repeat_number: { number: NOT_TOLD },
  repeat_own_number: { digits: NOT_TOLD },
  repeat_when: { when: NOT_TOLD },
  heard_number: { number: NOT_TOLD },
  ask_callback_own_number: { digits: NOT_TOLD },
  ask_text: { digits: NOT_TOLD },
};

export function draftTurn(before: EngineState, facts: SessionFacts): TurnDraft {
  const { language } = facts.assistant;
  let say: Sentence[] = [];
  let action: Action | null = null;
  /** Something was to be said, and was said twice already. */
  let isRepeating = false;
  const isUsable = usableEntries(facts);

  function add(
    text: string,
    key: string | null,
    { sources = [], interruptible = true }: SayOptions,
    told?: string,
  ): void {
    draft.change({ said: countSaid(text, draft.state.said) });
    say.push({ text, key, sources, interruptible, ...(told !== undefined && { told }) });
  }

  const draft: TurnDraft = {
    facts,
    language,
    state: before,
    understood: true,
    unanswered: null,
    heard: null,
    masked: false,
    change(change) {
      draft.state = { ...draft.state, ...change };
    },
    say(key, values, options = {}) {
      const variant = chooseVariant(key, values ?? {}, language, draft.state.said);
      if (!variant) {
        isRepeating = true;
        return false;
      }
      const own = values && CALLER_VALUES[key];
      const told = own && fillIn(sentencesOf(language)[key][variant.index]!, { ...values, ...own });
      add(variant.text, values ? null : sentenceKey(key, variant.index, language), options, told);
      return true;
    },
    sayText(text, options = {}) {
      if (isUsedUp(text, draft.state.said)) return false;
      add(text, null, options);
      return true;
    },
    ask(question, expects) {
      draft.change({ question, expects });
    },
    unsay() {
      say = [];
      draft.change({ said: before.said });
    },
    perform(requested, context) {
      const number = draft.state.actions + 1;
      const { callerName, matter } = draft.state;
      const id = `${draft.state.sessionId}-${number}`;
      action = { ...requested, id, callerName: callerName ?? facts.caller.name, matter, ...context };
      draft.change({ actions: number, pending: action });
    },
    target: (id) => facts.targets.find((target) => target.id === id),
    entry: (id) => facts.knowledge.entries.find((entry) => entry.id === id && isUsable(entry)),
    finish() {
      // A conversation that would begin to repeat itself goes to somebody else.
      if (isRepeating && say.length === 0 && action === null && !draft.state.ended) {
        draft.perform({ name: 'hand_over', arguments: {}, reason: 'not_understood' });
        draft.change({ ended: true, question: null, task: null, expects: 'anything' });
      }
      if (say.length > 0) draft.change({ last: say, lastHeard: true });
      const { state, understood, unanswered, heard, masked } = draft;
      return { state, say, action, understood, expects: state.expects, heard, masked, unanswered };
    },
  };
  return draft;
}

/** Identifies a sentence of the product whose audio is made beforehand. */
export function sentenceKey(key: SentenceKey, index: number, language: string): string {
  return `${languageOf(language)}.${key}.${index + 1}`;
}
