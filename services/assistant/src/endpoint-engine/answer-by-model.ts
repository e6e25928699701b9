import type { Answer, Answered, AnswerHooks, EngineInUse } from '../engine/answer.ts';
import type { Expectation, Heard, Sentence, SessionFacts, Turn } from '../engine/engine.ts';
import { hearWords } from '../engine/hearing/heard-words.ts';
import { readYesNo } from '../engine/hearing/yes-no.ts';
import { maskSecrets } from '../engine/hearing/mask-secrets.ts';
import { withoutSalutation } from '../engine/hearing/salutation.ts';
import { languageOf } from '../engine/words/vocabularies.ts';
import { add, saidSentences, toldOf } from './conversation.ts';
import type { ModelAddress, ModelClient, TokensUsed } from './model-client.ts';
import {
  type ModelPatience,
  type ModelTurn,
  type ModelTurnDeps,
  type ModelTurnInput,
  PATIENCE,
  runModelTurn,
} from './model-turn.ts';
import { expectationOf } from './reply.ts';
import type { ModelProgress, SessionEngine, SessionState } from './session-engine.ts';

/** A language model of a company, and what is noted about it. */
export interface ModelOfCompany {
  /** The model that answers now; undefined when there is none, its limit is reached or it is left alone. Asked before each turn. */
  inUse(): Promise<ModelAddress | undefined>;
  /** Counts tokens; what they cost as a decimal number, null without prices. */
  addSpend(tokens: TokensUsed): Promise<string | null>;
  answered(): Promise<void>;
  failed(reason: string): Promise<void>;
}

export interface AnswerDeps {
  readonly engine: SessionEngine;
  readonly client: ModelClient;
  readonly model: ModelOfCompany;
  /** The meaning of words; null where it is not known. */
  readonly embed: (text: string) => Promise<Float32Array | null>;
  /** What the session began with. */
  readonly engineAtStart: EngineInUse;
  readonly onError: (error: unknown) => void;
  readonly patience?: ModelPatience;
}

/** Two turns in a row that a model failed are enough for a session. */
const FAILED_TURNS_MAX = 2;

/** Answers what was heard: by the product where it must, else by the company's model while there is one, else by the embedded engine. */
export function answerByModel(deps: AnswerDeps): Answer<SessionState> {
  const { engine, model, client, embed, patience = PATIENCE, onError } = deps;

  return async (state, facts, heard, hooks) => {
    if (heard.kind !== 'words')
      return sayTurn(engine.decideTurn(state, facts, heard, { vector: null }), hooks, inUse(state));
    const product = engine.decideByProduct(state, facts, heard);
    if (product) return sayTurn(product, hooks, inUse(state));
    const vector = embed(withoutSalutation(heard.text, languageOf(facts.assistant.language))).catch(() => null);
    const continued = continuesTask(state, heard.text, facts.assistant.language)
      ? engine.decideTurn(state, facts, heard, { vector: await vector })
      : undefined;
    if (continued?.understood) return sayTurn(asking(continued), hooks, inUse(state));
    const address = state.model.isGivenUp ? undefined : await model.inUse().catch(report(undefined));
    if (!address) return byEmbedded(changed(state, false, hooks), facts, heard, hooks, vector);
    const before = state.conversation.findLast(({ by }) => by === 'caller')?.text ?? '';
    const { text, masked } = maskSecrets(heard.text, before);
    hooks.heardAs(text, masked);
    const spends: Promise<void>[] = [];
    const turn = await tryModelTurn(
      { engine, client, patience },
      {
        address,
        state: progressed(changed(state, true, hooks), { asked: 'anything' }),
        facts,
        heard: text,
        vector,
        signal: hooks.signal,
        say: (sentence) => hooks.say(sentence, 'endpoint'),
        onFiller: () => hooks.note('filler', null),
        used: (tokens) => void spends.push(spend(tokens, hooks)),
      },
    );
    const answered = await conclude(turn, facts, { ...heard, text }, hooks, vector);
    await Promise.all([...spends, note(turn)]);
    return answered;
  };

  /** A defect here is a failure of the model for the caller, who is answered all the same. */
  async function tryModelTurn(turnDeps: ModelTurnDeps, input: ModelTurnInput): Promise<ModelTurn> {
    const said: Sentence[] = [];
    const say = (sentence: Sentence) => {
      said.push(sentence);
      input.say(sentence);
    };
    return runModelTurn(turnDeps, { ...input, say }).catch((error: unknown): ModelTurn => {
      onError(error);
      return { kind: 'failed', failure: 'internal_error', state: input.state, said };
    });
  }

  async function conclude(
    turn: ModelTurn,
    facts: SessionFacts,
    heard: Heard & { kind: 'words' },
    hooks: AnswerHooks,
    vector: Promise<Float32Array | null>,
  ): Promise<Answered<SessionState>> {
    const { state, said } = turn;
    switch (turn.kind) {
      case 'replied':
      case 'aborted': {
        const noted = engine.noteReply(progressed(state, { failedTurns: 0 }), heard.text, said);
        return replied(noted, expectationOf(said.at(-1)?.text ?? ''));
      }
      case 'action': {
        const { turn: decided } = turn;
        const next = progressed(saidBefore(decided, said), { failedTurns: 0 });
        return sayTurn(asking({ ...decided, state: next, heard: null }), hooks, 'endpoint', 'endpoint');
      }
      case 'no_answer':
        return byEmbedded(progressed(state, { failedTurns: 0 }), facts, heard, hooks, vector, said);
      case 'replaced': {
        const answered = await byEmbedded(progressed(state, { failedTurns: 0 }), facts, heard, hooks, vector, said);
        hooks.note('reply_replaced', turn.objection);
        return answered;
      }
      case 'failed': {
        hooks.note('endpoint_failed', turn.failure);
        const failedTurns = state.model.failedTurns + 1;
        const isGivenUp = failedTurns >= FAILED_TURNS_MAX;
        if (isGivenUp) hooks.note('engine_changed', 'embedded');
        const wasUsed = !isGivenUp;
        return byEmbedded(progressed(state, { failedTurns, isGivenUp, wasUsed }), facts, heard, hooks, vector, said);
      }
    }
  }

  /** `said`: what the model has said before. The caller's words were told already then. */
  async function byEmbedded(
    state: SessionState,
    facts: SessionFacts,
    heard: Heard,
    hooks: AnswerHooks,
    vector: Promise<Float32Array | null>,
    said?: readonly Sentence[],
  ): Promise<Answered<SessionState>> {
    const turn = engine.decideTurn(state, facts, heard, { vector: await vector });
    if (said === undefined) return sayTurn(turn, hooks, inUse(turn.state));
    return sayTurn({ ...turn, heard: null, state: saidBefore(turn, said) }, hooks, inUse(turn.state));
  }

  function sayTurn(
    turn: Turn<SessionState>,
    hooks: AnswerHooks,
    engineInUse: EngineInUse,
    by: EngineInUse = 'embedded',
  ): Answered<SessionState> {
    const { say, heard, masked, ...rest } = turn;
    if (heard !== null) hooks.heardAs(heard, masked);
    for (const sentence of say) hooks.say(sentence, by);
    return { ...rest, engine: engineInUse };
  }

  /** What answers the session, as far as it has shown. */
  function inUse({ model: { isGivenUp, wasUsed } }: SessionState): EngineInUse {
    if (isGivenUp) return 'embedded';
    return wasUsed === null ? deps.engineAtStart : wasUsed ? 'endpoint' : 'embedded';
  }

  /** Notes when a limit, a failure or an admin has changed what answers. */
  function changed(state: SessionState, wasUsed: boolean, hooks: AnswerHooks): SessionState {
    const now: EngineInUse = wasUsed ? 'endpoint' : 'embedded';
    if (inUse(state) !== now) hooks.note('engine_changed', now);
    return progressed(state, { wasUsed });
  }

  async function spend(tokens: TokensUsed, hooks: AnswerHooks): Promise<void> {
    if (tokens.inputTokens === 0 && tokens.outputTokens === 0) return;
    const cost = await model.addSpend(tokens).catch(report(null));
    const costMicros = cost === null ? null : Number(cost) * 1_000_000;
    hooks.used({ input: tokens.inputTokens, output: tokens.outputTokens, costMicros });
  }

  async function note(turn: ModelTurn): Promise<void> {
    if (turn.kind === 'aborted') return;
    await (turn.kind === 'failed' ? model.failed(turn.failure) : model.answered()).catch(report(undefined));
  }

  function report<Value>(value: Value) {
    return (error: unknown): Value => {
      onError(error);
      return value;
    };
  }
}

function progressed(state: SessionState, change: Partial<ModelProgress>): SessionState {
  return { ...state, model: { ...state.model, ...change } };
}

/** What the product asks for itself when it does what a model chose. */
const PARTS_OF_TASKS: readonly Expectation[] = ['number', 'name', 'message', 'when', 'choice'];

/** Whether the product has asked for what was said: it goes on with what the model chose, which knows nothing of its questions. */
function continuesTask({ model: { asked } }: SessionState, text: string, language: string): boolean {
  if (asked === 'yes_no') {
    const read = readYesNo(hearWords(text), language);
    return read !== null && (read.answer === 'yes' || read.rest.plain === '');
  }
  return PARTS_OF_TASKS.includes(asked);
}

/** Remembers what the product asks for. */
function asking(turn: Turn<SessionState>): Turn<SessionState> {
  return { ...turn, state: progressed(turn.state, { asked: turn.action ? 'anything' : turn.expects }) };
}

/** The state after a turn before which a model has said something. */
function saidBefore({ state, say }: Turn<SessionState>, said: readonly Sentence[]): SessionState {
  if (said.length === 0) return state;
  const [before, after] = [saidSentences(said), saidSentences(say)];
  const all = [...before, ...after];
  const last = state.conversation.at(-1);
  const end = toldOf(after);
  if (last?.by !== 'assistant' || end === '' || !last.text.endsWith(end))
    return { ...state, conversation: add(state.conversation, 'assistant', toldOf(before)), lastSaid: before };
  const earlier = last.text.slice(0, last.text.length - end.length);
  const conversation = [...state.conversation.slice(0, -1), { ...last, text: earlier + toldOf(all) }];
  return { ...state, conversation, lastSaid: all };
}

function replied(state: SessionState, expects: Expectation): Answered<SessionState> {
  return { state, action: null, understood: true, expects, unanswered: null, engine: 'endpoint' };
}
