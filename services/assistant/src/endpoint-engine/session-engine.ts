import type { Action, EmbeddedEngine, Expectation, Heard, Sentence, SessionFacts, Turn } from '../engine/engine.ts';
import {
  add,
  type Conversation,
  heardOf,
  interrupted,
  type SaidSentence,
  saidSentences,
  toldOf,
} from './conversation.ts';

/** The state of a session that a model may answer: plain JSON. */
export interface SessionState {
  readonly embedded: unknown;
  /** What both have said, whichever engine decided it. */
  readonly conversation: Conversation;
  /** What the assistant said in its last turn. */
  readonly lastSaid: readonly SaidSentence[];
  readonly model: ModelProgress;
}

/** How the model has done in this session. */
export interface ModelProgress {
  /** Turns in a row that it failed. */
  readonly failedTurns: number;
  /** The embedded engine answers for the rest of the session. */
  readonly isGivenUp: boolean;
  /** Whether it decided the last turn that was not the product's; null before the first. */
  readonly wasUsed: boolean | null;
  /** Ids of people that it was told in this session. */
  readonly givenTargets: readonly string[];
  /** What the product asked the caller for when it did what the model chose. */
  readonly asked: Expectation;
  /** How often the caller was asked to wait for it. */
  readonly fillers: number;
}

const NO_PROGRESS: ModelProgress = {
  failedTurns: 0,
  isGivenUp: false,
  wasUsed: null,
  givenTargets: [],
  asked: 'anything',
  fillers: 0,
};

const FILLERS: Readonly<Record<string, readonly string[]>> = {
  en: ['One moment, please.', 'Just a moment, please.', 'One second, please.', 'Let me see.'],
  de: ['Einen Moment, bitte.', 'Einen Augenblick, bitte.', 'Eine Sekunde, bitte.', 'Ich sehe nach.'],
  da: ['Et øjeblik.', 'Lige et øjeblik.', 'Et sekund.', 'Lad mig se.'],
};

/** Said while a model has not answered yet; another one each time, because no sentence is said three times in a row. */
export function filler(language: string, times: number): Sentence {
  const texts = fillersOf(language);
  const place = times % texts.length;
  return { text: texts[place]!, key: fillerKey(place), sources: [], interruptible: true };
}

const fillersOf = (language: string) => FILLERS[language] ?? FILLERS['en']!;
const fillerKey = (place: number) => `filler.${place}`;

export type SessionEngine = EmbeddedEngine<SessionState>;

/**
 * The embedded engine, with what was said kept for a model that answers some of the turns: so that it knows what the embedded engine
 * and the product have said, and a session can change from one to the other at any time.
 */
export function sessionEngine<Embedded>(embedded: EmbeddedEngine<Embedded>): SessionEngine {
  const inner = (state: SessionState) => state.embedded as Embedded;
  const withTurn = (state: SessionState, heard: string | null, turn: Turn<Embedded>): Turn<SessionState> => ({
    ...turn,
    state: { ...noteExchange(state, turn.heard ?? heard, turn.say), embedded: turn.state },
  });
  return {
    textsToEmbed: (entries, language) => embedded.textsToEmbed(entries, language),
    indexKnowledge: (entries, language, vectorOf) => embedded.indexKnowledge(entries, language, vectorOf),
    createState: (sessionId) => ({
      embedded: embedded.createState(sessionId),
      conversation: [],
      lastSaid: [],
      model: NO_PROGRESS,
    }),
    decideTurn(state, facts, heard, meaning) {
      const turn = embedded.decideTurn(inner(state), facts, heard, meaning);
      return withTurn(noteHeard(state, heard), null, turn);
    },
    decideByProduct(state, facts, heard) {
      const turn = embedded.decideByProduct(inner(state), facts, heard);
      return turn && withTurn(noteHeard(state, heard), null, turn);
    },
    requestAction(state, facts, request, heard) {
      const turn = embedded.requestAction(inner(state), facts, request, heard);
      return 'refused' in turn ? turn : withTurn(state, heard, turn);
    },
    noteReply: (state, heard, say) => ({
      ...noteExchange(state, heard, say),
      embedded: embedded.noteReply(inner(state), heard, say),
    }),
    outcomeIfLeft: (state) => embedded.outcomeIfLeft(inner(state)),
    whisper: (action: Action, facts: SessionFacts) => embedded.whisper(action, facts),
    fixedSentences: (language) => [
      // Said while other sentences are not made yet.
      ...fillersOf(language).map((text, place) => ({ key: fillerKey(place), text })),
      ...embedded.fixedSentences(language),
    ],
    likelySentences: (facts) => embedded.likelySentences(facts),
  };
}

function noteHeard(state: SessionState, heard: Heard): SessionState {
  if (heard.kind !== 'interrupted') return state;
  const heardOnly = heardOf(state.lastSaid, heard.spoken);
  const conversation = interrupted(state.conversation, toldOf(state.lastSaid), toldOf(heardOnly));
  return { ...state, conversation, lastSaid: heardOnly };
}

function noteExchange(state: SessionState, heard: string | null, say: readonly Sentence[]): SessionState {
  const said = saidSentences(say);
  const heardToo = heard === null ? state.conversation : add(state.conversation, 'caller', heard);
  const conversation = add(heardToo, 'assistant', toldOf(said));
  return { ...state, conversation, lastSaid: said.length === 0 ? state.lastSaid : said };
}
