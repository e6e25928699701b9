import type { Expectation, Sentence } from '../engine/engine.ts';
import type { Objection, ReplyCheck } from './checks/reply-check.ts';
import { type Conversation, timesSaid } from './conversation.ts';
import { isNonsense, plainSpeech } from './plain-speech.ts';
import { NO_ANSWER } from './prompt.ts';
import { sentenceSplitter, thoughtFilter } from './sentences.ts';

/** Why the embedded engine takes a turn although the model has answered. */
export type ReplyProblem =
  /** What the model wrote must not be spoken; it is replaced. */
  | { readonly kind: 'objection'; readonly objection: Objection | 'repeated' }
  /** The model says that the data has no answer. */
  | { readonly kind: 'no_answer' }
  | { readonly kind: 'failure'; readonly failure: 'nonsense' | 'too_long' | 'empty_answer' };

/** More than three sentences or 400 characters are cut at a sentence. */
const SENTENCES_MAX = 3;
const LENGTH_MAX = 400;
/** No sentence ends so late. */
const PENDING_LENGTH_MAX = 2 * LENGTH_MAX;
/** The same sentence is never said three times. */
const REPETITIONS_MAX = 2;

/**
 * The text of one turn of a model: its sentences, each said as soon as it is complete and checked. It may be written in several answers,
 * with results of tools between them.
 */
export function reply(input: {
  readonly language: string;
  readonly check: () => ReplyCheck;
  readonly conversation: Conversation;
  readonly say: (sentence: Sentence) => void;
}) {
  const { language, check, conversation, say } = input;
  const said: Sentence[] = [];
  let length = 0;
  /** No further sentence is said. */
  let isCut = false;
  let problem: ReplyProblem | undefined;
  /** A deed was claimed: right if an action follows, which the product speaks of; what comes after it belongs to it. */
  let hasClaim = false;
  let splitter = sentenceSplitter(language);
  let withoutThoughts = thoughtFilter();

  function take(written: string): void {
    if (isCut || problem || hasClaim) return;
    if (written.includes(NO_ANSWER)) return fail({ kind: 'no_answer' });
    const text = plainSpeech(written);
    if (text === '') return;
    if (isNonsense(written)) return fail({ kind: 'failure', failure: 'nonsense' });
    if (length + text.length > LENGTH_MAX) return cut();
    // A model that goes round in circles has said what it has to say.
    if (said.some((sentence) => sentence.text === text)) return cut();
    if (timesSaid(conversation, text) >= REPETITIONS_MAX) return fail({ kind: 'objection', objection: 'repeated' });
    const objection = check().objectionTo(text);
    if (objection === 'claims_deed') {
      hasClaim = true;
      return;
    }
    if (objection) return fail({ kind: 'objection', objection });
    const sentence: Sentence = { text, key: null, sources: check().sourcesOf(text), interruptible: true };
    said.push(sentence);
    length += text.length + 1;
    isCut = said.length >= SENTENCES_MAX;
    say(sentence);
  }

  function cut(): void {
    if (said.length === 0) fail({ kind: 'failure', failure: 'too_long' });
    isCut = true;
  }

  function fail(found: ReplyProblem): void {
    problem ??= found;
  }

  return {
    get said(): readonly Sentence[] {
      return said;
    },
    /** Nothing more of the model is said. */
    get isCut() {
      return isCut;
    },
    get problem() {
      return problem;
    },
    get hasClaim() {
      return hasClaim;
    },
    push(piece: string): void {
      if (isCut || problem) return;
      for (const sentence of splitter.push(withoutThoughts(piece))) take(sentence);
      if (splitter.pendingLength > PENDING_LENGTH_MAX) cut();
    },
    /**
     * An answer is over. `isWhole`: a last sentence without an end is one; otherwise it is dropped, and false says that there was one.
     */
    endAnswer(isWhole: boolean): boolean {
      const isComplete = splitter.pendingLength === 0;
      if (isWhole) for (const sentence of splitter.end()) take(sentence);
      splitter = sentenceSplitter(language);
      withoutThoughts = thoughtFilter();
      return isWhole || isComplete;
    },
    /** The next answer is asked for, after results of tools. */
    beginAnswer(): void {
      hasClaim = false;
    },
    /** The model has nothing more to say. */
    finish(): ReplyProblem | undefined {
      if (problem) return problem;
      if (hasClaim) return { kind: 'objection', objection: 'claims_deed' };
      return said.length === 0 ? { kind: 'failure', failure: 'empty_answer' } : undefined;
    },
  };
}

const QUESTIONS: readonly (readonly [Expectation, RegExp])[] = [
  ['number', /\b(?:number|nummer|rufnummer|telefonnummer|telefon)\b/i],
  [
    'name',
    /\b(?:(?:your|full|last|first) name|(?:ihr|ihren) namen?|(?:dit|fulde) navn|who is calling|hvem taler|wer spricht)\b/i,
  ],
  ['message', /\b(?:what (?:is|should|shall|would you like).*message|message be|welche nachricht|hvad.*besked)\b/i],
  ['when', /^(?:when|what time|which day|wann|hvornår)\b/i],
  [
    'yes_no',
    /^(?:(?:would|do|does|shall|should|is|are|can|could|may|did|have|has|will)\b|soll|möchten|wollen|sind|ist|haben|können|skal|vil|er|har|kan|må)/i,
  ],
];

/** What the caller is expected to say to the last sentence. */
export function expectationOf(sentence: string): Expectation {
  if (!sentence.trimEnd().endsWith('?')) return 'anything';
  return QUESTIONS.find(([, pattern]) => pattern.test(sentence))?.[0] ?? 'anything';
}
