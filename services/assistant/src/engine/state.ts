import type { Action, Expectation, Sentence } from './engine.ts';

/** What the embedded engine remembers of a session: plain JSON. */
export interface EngineState {
  readonly sessionId: string;
  /** What is being filled in with the caller. */
  readonly task: Task | null;
  /** What the caller was asked last; null when nothing that a yes, a name or a number answers. */
  readonly question: Question | null;
  readonly expects: Expectation;
  /** The last turn of the assistant, to be repeated. */
  readonly last: readonly Sentence[];
  /** Whether the caller heard it to the end, or at least what a yes would agree to. */
  readonly lastHeard: boolean;
  /** The caller's last words, without secrets. */
  readonly heard: string;
  /** How often sentences were said, by their hashes: none is said three times. */
  readonly said: Readonly<Record<string, number>>;
  /** Turns in a row that were not understood. */
  readonly misunderstood: number;
  /** Silences in a row. */
  readonly silences: number;
  /** How often each target was tried. */
  readonly transfers: Readonly<Record<string, number>>;
  readonly textsSent: number;
  /** Entries whose text was offered already. */
  readonly textsOffered: readonly string[];
  /** Actions so far; their ids are numbered. */
  readonly actions: number;
  /** The action whose result is not known yet. */
  readonly pending: Action | null;
  /** The callback that was arranged in the last turn: the caller may want it at another time. */
  readonly arranged?: CallbackTask | null;
  /** What the caller was asked to confirm, until what they asked instead of an answer is answered. */
  readonly unconfirmed?: { readonly question: Confirmation; readonly task: Task | null } | null;
  /** The caller's name, as it was said. */
  readonly callerName: string | null;
  /** What the call is about, in the caller's words. */
  readonly matter: string | null;
  readonly done: Done;
  /** After goodbye or handing over nothing is said any more. */
  readonly ended: boolean;
}

/** What became of the session so far. */
interface Done {
  readonly answered: boolean;
  readonly textSent: boolean;
  readonly messageTaken: boolean;
  readonly callbackRequested: boolean;
  /** Something that the caller wanted was not done. */
  readonly isOpen: boolean;
}

export type Task = MessageTask | CallbackTask;

export interface MessageTask {
  readonly kind: 'message';
  readonly text: string | null;
  /** Null: not known, or none is given. */
  readonly callerName: string | null;
  readonly isNameAsked: boolean;
  /** E.164; null: the number that calls, if there is one. */
  readonly number: string | null;
  readonly isNumberAsked: boolean;
  /** Id. */
  readonly target: string | null;
  readonly corrections: number;
}

export interface CallbackTask {
  readonly kind: 'callback';
  /** E.164; `own`: the number that calls; null: not known yet. */
  readonly number: string | null;
  readonly when: string | null;
  readonly target: string | null;
  /** How often a number was asked for. */
  readonly attempts: number;
}

/** What may be offered. */
export type Offer =
  | { readonly kind: 'message'; readonly target: string | null }
  | { readonly kind: 'callback' }
  | { readonly kind: 'person' }
  | { readonly kind: 'text'; readonly entryId: string };

/** What a choice is between. */
export type Choice =
  | { readonly kind: 'entry'; readonly id: string }
  | { readonly kind: 'topic'; readonly topic: 'hours' | 'address' }
  | { readonly kind: 'target'; readonly id: string };

export type Question =
  /** Yes: what was repeated is done. */
  | { readonly kind: 'confirm_task' }
  /** Yes: the caller's own number is the one to call. */
  | { readonly kind: 'own_number' }
  | { readonly kind: 'confirm_text'; readonly entryId: string }
  | { readonly kind: 'which_text'; readonly entryIds: readonly string[] }
  /** Part of a task. */
  | { readonly kind: 'slot'; readonly slot: 'message' | 'name' | 'number' | 'correction'; readonly digits: string }
  /** One: "do you mean …?"; several: "… or …?". */
  | { readonly kind: 'choice'; readonly choices: readonly Choice[]; readonly purpose: Purpose; readonly asked: string }
  | { readonly kind: 'whom'; readonly purpose: PersonPurpose }
  | { readonly kind: 'offers'; readonly offers: readonly Offer[] }
  | { readonly kind: 'anything_else' };

/** What is not done without a yes. */
export type Confirmation = Extract<Question, { kind: 'confirm_task' | 'own_number' | 'confirm_text' }>;

/** What a person is asked for: to speak to, or for a message. */
export type PersonPurpose = 'transfer' | 'message';
export type Purpose = PersonPurpose | 'answer';

export function createState(sessionId: string): EngineState {
  return {
    sessionId,
    task: null,
    question: null,
    expects: 'anything',
    last: [],
    lastHeard: true,
    heard: '',
    said: {},
    misunderstood: 0,
    silences: 0,
    transfers: {},
    textsSent: 0,
    textsOffered: [],
    actions: 0,
    pending: null,
    callerName: null,
    matter: null,
    done: { answered: false, textSent: false, messageTaken: false, callbackRequested: false, isOpen: false },
    ended: false,
  };
}
