import type { Schedule } from '@parley/opening-hours';
import type { CallingRules } from '@parley/phone-numbers';
import type { KnowledgeEntryFacts } from './knowledge/knowledge-entry.ts';
import type { KnowledgeIndex } from './knowledge/knowledge-index.ts';

export type { KnowledgeEntryFacts, KnowledgeIndex };

/**
 * What engines and the running session tell each other. An engine decides and does nothing: it reads no clock, no random number
 * and no network. The session embeds what was heard, stores the state after every turn, speaks `say` to its end, then performs
 * `action`, and tells its result with the next `Heard`.
 */

/** What is known about the session; read before each turn, so that changes count from the next turn. */
export interface SessionFacts {
  readonly now: Date;
  readonly assistant: AssistantFacts;
  readonly company: CompanyFacts;
  readonly number: NumberFacts;
  readonly caller: CallerFacts;
  /** Whom the assistant may transfer to, or take messages for. */
  readonly targets: readonly Target[];
  readonly knowledge: KnowledgeIndex;
}

export interface AssistantFacts {
  readonly name: string;
  /** Language code. */
  readonly language: string;
  readonly disclosure: string;
  readonly greeting: string;
  /** For a model only. */
  readonly instructions: string;
  readonly actions: {
    readonly transfer: boolean;
    readonly takeMessage: boolean;
    readonly requestCallback: boolean;
    readonly sendText: boolean;
  };
}

export interface CompanyFacts {
  readonly name: string;
  /** As it is spoken, such as "Main Street 1, 8000 Aarhus"; null when the company wrote down none. */
  readonly address: string | null;
  /** Its country and which numbers it may call. */
  readonly callingRules: CallingRules;
}

/** The called number. */
export interface NumberFacts extends Schedule {
  readonly id: string;
}

export interface CallerFacts {
  /** Of the contact, if callers are recognised; at most 64 characters without control characters. */
  readonly name: string | null;
  /** E.164; null for an anonymous caller. */
  readonly number: string | null;
  /** Whether a text may be sent to that number now: consent, messaging, rate, at most five a day. */
  readonly canReceiveText: boolean;
}

/** Somebody whom a caller can ask for: a transfer target of the assistant or, if it may reach them by name, an employee. */
export interface Target {
  /** The id that is in `arguments` of actions: the transfer target's or the employee's. */
  readonly id: string;
  readonly type: 'transfer_target' | 'employee';
  readonly name: string;
  readonly aliases: readonly string[];
}

/** What was heard, or happened to the conversation. */
export type Heard =
  /** The caller and the assistant are connected for the first time: disclosure and greeting. */
  | { readonly kind: 'begin' }
  /** They are connected again after the audio was lost. */
  | { readonly kind: 'resumed' }
  | { readonly kind: 'words'; readonly text: string }
  /** The caller said something, and the words are not known. */
  | { readonly kind: 'unrecognised' }
  /** Keys: one, or the digits of a number without the `#` that ended it. */
  | { readonly kind: 'keys'; readonly digits: string }
  /** Nothing was heard for `silence_secs`. */
  | { readonly kind: 'silence' }
  /** The caller interrupted; what was heard of the last turn. Told before the words that interrupted. */
  | { readonly kind: 'interrupted'; readonly spoken: string }
  /** A tool that takes over five seconds has the result `failed`. */
  | { readonly kind: 'action_result'; readonly actionId: string; readonly result: ActionResult }
  /** 30 s before `max_duration_secs`. */
  | { readonly kind: 'time_warning' }
  /** `max_duration_secs` is over. */
  | { readonly kind: 'time_over' };

/** What the meaning of the heard words is compared by; null where nothing was embedded, or the model does not know the language. */
export interface Meaning {
  readonly vector: Float32Array | null;
}

/** What an engine decided. */
export interface Turn<State> {
  /** Plain JSON. */
  readonly state: State;
  /** Empty when there is nothing to say. */
  readonly say: readonly Sentence[];
  /** Performed once `say` was spoken to its end; null when there is nothing to do. */
  readonly action: Action | null;
  /** False when what the caller said fitted nothing. */
  readonly understood: boolean;
  /** What the caller is expected to say next. */
  readonly expects: Expectation;
  /** The heard words without secrets, as they may be stored; null when no words were heard. */
  readonly heard: string | null;
  /** Whether secrets were removed from them. */
  readonly masked: boolean;
  /** A question that nothing fitted, to be stored unless transcripts are not kept. */
  readonly unanswered: string | null;
}

/** A text that is spoken as one piece. */
export interface Sentence {
  readonly text: string;
  /** Of a sentence of the product, whose audio is made beforehand; null for others. */
  readonly key: string | null;
  /** What a language model is told of it, where it repeats the caller: without the caller's words, name and number. */
  readonly told?: string;
  /** What it was taken from; empty for sentences of the product. */
  readonly sources: readonly Source[];
  /** False for the disclosure and for what must be heard before an action. */
  readonly interruptible: boolean;
}

export interface Source {
  readonly type: 'knowledge_entry' | 'business_hours' | 'company' | 'model';
  readonly id: string | null;
}

/** What the caller is expected to say: turn taking waits longer inside numbers, names and messages. */
export type Expectation = 'anything' | 'yes_no' | 'choice' | 'number' | 'name' | 'message' | 'when';

/** The result of an action, as in the contract. */
export type ActionResult =
  | 'connected'
  | 'no_answer'
  | 'declined'
  | 'unavailable'
  | 'failed'
  | 'not_allowed'
  | 'taken'
  | 'queued'
  | 'sent'
  | 'not_possible'
  | 'handed_over'
  | 'ended';

/** Why an engine hands a call over. */
export type HandOverReason =
  | 'requested'
  | 'key'
  | 'not_understood'
  | 'silence'
  | 'emergency'
  | 'limit_duration'
  | 'speech_unavailable'
  | 'failed';

/** What is to be done. `arguments` are those of the tool of that name, and what is shown of the action. */
export type Action = RequestedAction & {
  /** Unique in all sessions: repeated with the same id, an action has one effect. */
  readonly id: string;
  /** Who calls, as far as it is known: for the employee who rings, and for a message. */
  readonly callerName: string | null;
  /** What about, in the caller's words; masked. */
  readonly matter: string | null;
};

/** Also what a model asks for with a tool of that name; its shape is checked before. */
export type RequestedAction =
  | { readonly name: 'transfer_call'; readonly arguments: { readonly target: string } }
  | {
      readonly name: 'take_message';
      readonly arguments: {
        readonly text: string;
        readonly caller_name?: string;
        /** E.164; absent for the number that calls. */
        readonly callback_number?: string;
        readonly target?: string;
      };
    }
  | {
      readonly name: 'request_callback';
      readonly arguments: {
        /** E.164; absent for the number that calls. */
        readonly number?: string;
        /** In the caller's words. */
        readonly when?: string;
        readonly target?: string;
      };
    }
  | { readonly name: 'send_text'; readonly arguments: { readonly knowledge_entry_id: string } }
  | { readonly name: 'hand_over'; readonly arguments: Record<string, never>; readonly reason: HandOverReason }
  | { readonly name: 'end_call'; readonly arguments: Record<string, never> };

/** Why a model's request is refused; it is told so. */
export type RequestRefusal =
  /** The assistant may not do this. */
  | 'not_allowed'
  /** Not an id that the product gave in this session. */
  | 'unknown_target'
  | 'unknown_entry'
  /** Not a number that the company may call. */
  | 'invalid_number'
  /** Tried twice, or sent twice, already. */
  | 'limit_reached';

export type Outcome = 'resolved' | 'message_taken' | 'callback_requested' | 'abandoned';

/**
 * The embedded engine, and what is the product's whichever engine decides the answers: disclosure, keys, silence, emergencies,
 * secrets, confirmations, results of actions. Every function is pure.
 */
export interface EmbeddedEngine<State> {
  /** The texts whose vectors `indexKnowledge` compares meanings with. */
  textsToEmbed(entries: readonly KnowledgeEntryFacts[], language: string): readonly string[];
  /** `vectorOf`: of the texts above; undefined for those that have none (yet). */
  indexKnowledge(
    entries: readonly KnowledgeEntryFacts[],
    language: string,
    vectorOf: (text: string) => Float32Array | undefined,
  ): KnowledgeIndex;
  createState(sessionId: string): State;
  decideTurn(state: State, facts: SessionFacts, heard: Heard, meaning: Meaning): Turn<State>;
  /** The turn, where it is the product's whichever engine is used; null: the engine decides. Asked before a model is. */
  decideByProduct(state: State, facts: SessionFacts, heard: Heard): Turn<State> | null;
  /** An action that a model asked for: the turn that confirms it, or does it where nothing is to be confirmed. `heard`: the words it answers. */
  requestAction(
    state: State,
    facts: SessionFacts,
    request: RequestedAction,
    heard: string,
  ): Turn<State> | { readonly refused: RequestRefusal };
  /** A model's answer, so that it can be repeated and interrupted, and the embedded engine can go on after it. `heard`: the words it answers. */
  noteReply(state: State, heard: string, say: readonly Sentence[]): State;
  /** What became of the session if the caller left now. */
  outcomeIfLeft(state: State): Outcome;
  /** What the employee who answered a transfer hears. */
  whisper(action: Action, facts: SessionFacts): string;
  /** All sentences of the product in a language, by their keys; those that are needed first come first. */
  fixedSentences(language: string): readonly { readonly key: string; readonly text: string }[];
  /** Further sentences that are likely in this session, whoever calls: hours of the next days, address, names of targets. */
  likelySentences(facts: SessionFacts): readonly string[];
}
