import type { KnowledgeEntryFacts, RequestedAction, Sentence, SessionFacts, Turn } from '../engine/engine.ts';
import { findTargets } from '../engine/hearing/find-targets.ts';
import { plainText } from '../engine/hearing/heard-words.ts';
import { maskSecrets } from '../engine/hearing/mask-secrets.ts';
import { type ReplyCheck, replyCheck, type SourceText } from './checks/reply-check.ts';
import { add } from './conversation.ts';
import { type ModelAddress, type ModelClient, ModelError, type ModelFailure, type TokensUsed } from './model-client.ts';
import { buildPrompt, type ChatMessage, chatMessages } from './prompt.ts';
import { relevantEntries } from './relevant-entries.ts';
import { reply, type ReplyProblem } from './reply.ts';
import { filler, type SessionEngine, type SessionState } from './session-engine.ts';
import { allowedTools, readToolCall, type ToolCall, toolDefinitions, type ToolError, type ToolRules } from './tools.ts';

/** How long a model is waited for. */
export interface ModelPatience {
  /** Without a token: "One moment, please." */
  readonly fillerMs: number;
  /** The same without a sentence, where tokens are slow or tools are called. */
  readonly sentenceFillerMs: number;
  readonly firstTokenMs: number;
  readonly nextTokenMs: number;
  readonly firstSentenceMs: number;
  readonly turnMs: number;
}

export const PATIENCE: ModelPatience = {
  fillerMs: 1200,
  sentenceFillerMs: 2500,
  firstTokenMs: 4000,
  nextTokenMs: 2000,
  firstSentenceMs: 7000,
  turnMs: 15_000,
};

export interface ModelTurnDeps {
  readonly engine: SessionEngine;
  readonly client: ModelClient;
  readonly patience: ModelPatience;
}

/** One turn that is given to a model. */
export interface ModelTurnInput {
  readonly address: ModelAddress;
  readonly state: SessionState;
  readonly facts: SessionFacts;
  /** What the caller said, without secrets. */
  readonly heard: string;
  /** What they mean; null where that is not known. */
  readonly vector: Promise<Float32Array | null>;
  readonly signal: AbortSignal | undefined;
  readonly say: (sentence: Sentence) => void;
  readonly onFiller: () => void;
  readonly used: (tokens: TokensUsed) => void;
}

export type TurnFailure =
  | Exclude<ModelFailure, 'aborted'>
  | Extract<ReplyProblem, { kind: 'failure' }>['failure']
  | 'tool_errors'
  | 'too_many_requests'
  | 'internal_error';

/** What became of a turn that was given to a model. `state` knows what was learnt meanwhile, `said` what was said already. */
export type ModelTurn = { readonly state: SessionState; readonly said: readonly Sentence[] } & (
  | { readonly kind: 'replied' }
  /** The product confirms or does what the model chose. */
  | { readonly kind: 'action'; readonly turn: Turn<SessionState> }
  /** The caller has interrupted, or is gone. */
  | { readonly kind: 'aborted' }
  | { readonly kind: 'failed'; readonly failure: TurnFailure }
  | { readonly kind: 'no_answer' }
  | { readonly kind: 'replaced'; readonly objection: string }
);

const REQUESTS_MAX = 3;
const BAD_CALLS_MAX = 2;
const PEOPLE_MAX = 3;
const GIVEN_TARGETS_MAX = 100;

/** Lets a model answer what was heard: up to three requests, whose sentences are said as soon as they are checked. */
export async function runModelTurn(deps: ModelTurnDeps, input: ModelTurnInput): Promise<ModelTurn> {
  const { facts, heard, state, vector } = input;
  const entries = await relevantEntries(facts, [...callerWordsOf(state), heard], vector);
  const turn = new RunningTurn(deps, input, entries);
  try {
    return await turn.run();
  } finally {
    turn.stop();
  }
}

class RunningTurn {
  readonly #deps: ModelTurnDeps;
  readonly #input: ModelTurnInput;
  readonly #begunAt = performance.now();
  readonly #timers: NodeJS.Timeout[];
  readonly #prompt: ReturnType<typeof buildPrompt>;
  readonly #tools: ReturnType<typeof allowedTools>;
  readonly #reply: ReturnType<typeof reply>;
  /** Calls of tools and their results. */
  readonly #messages: ChatMessage[] = [];
  readonly #giveUp = new AbortController();
  #state: SessionState;
  #learnt: SourceText[] = [];
  #check: ReplyCheck | undefined;
  #hasToken = false;
  #hasFiller = false;
  #badCalls = 0;

  constructor(deps: ModelTurnDeps, input: ModelTurnInput, entries: readonly KnowledgeEntryFacts[]) {
    const { facts, state } = input;
    this.#deps = deps;
    this.#input = input;
    this.#state = state;
    this.#prompt = buildPrompt(facts, entries);
    this.#tools = allowedTools(facts.assistant);
    this.#reply = reply({
      language: facts.assistant.language,
      check: () => (this.#check ??= this.#makeCheck()),
      conversation: state.conversation,
      say: (sentence) => input.say(sentence),
    });
    const { fillerMs, sentenceFillerMs, firstSentenceMs } = deps.patience;
    this.#timers = [
      setTimeout(() => this.#hasToken || this.#fill(), fillerMs),
      setTimeout(() => this.#fill(), sentenceFillerMs),
      setTimeout(() => this.#reply.said.length > 0 || this.#giveUp.abort('timeout'), firstSentenceMs),
    ];
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  async run(): Promise<ModelTurn> {
    for (let requests = 0; requests < REQUESTS_MAX; requests += 1) {
      const answered = await this.#ask();
      if ('kind' in answered) return answered;
      const { text, toolCalls } = answered;
      if (toolCalls.length === 0) return this.#finish();
      const result = this.#callTools(text, toolCalls);
      if (result) return result;
      if (this.#badCalls >= BAD_CALLS_MAX) return this.#failed('tool_errors');
    }
    return this.#failed('too_many_requests');
  }

  /** One request; what it answers, or the end of the turn. */
  async #ask(): Promise<ModelTurn | { text: string; toolCalls: readonly ToolCall[] }> {
    const { client, patience } = this.#deps;
    const { address, heard, state, signal, used } = this.#input;
    const tools = toolDefinitions(this.#tools);
    const conversation = add(state.conversation, 'caller', heard);
    const leftMs = Math.max(1, patience.turnMs - (performance.now() - this.#begunAt));
    this.#reply.beginAnswer();
    try {
      const answer = await client.ask({
        address,
        messages: chatMessages(this.#prompt.system, conversation, this.#messages, tools),
        tools,
        firstTokenMs: Math.min(patience.firstTokenMs, leftMs),
        nextTokenMs: patience.nextTokenMs,
        totalMs: leftMs,
        signal: signal ? AbortSignal.any([signal, this.#giveUp.signal]) : this.#giveUp.signal,
        onToken: () => (this.#hasToken = true),
        onText: (text) => this.#take(text),
      });
      used(answer.used);
      const isComplete = this.#reply.endAnswer(answer.isEnded && answer.finishReason !== 'length');
      if (!answer.isEnded && !(isComplete && this.#reply.said.length > 0) && answer.toolCalls.length === 0)
        return this.#unanswered('broken_stream');
      if (!isComplete && this.#reply.said.length === 0) return this.#unanswered('too_long');
      return { text: answer.text, toolCalls: answer.toolCalls };
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      used(error.used);
      this.#reply.endAnswer(false);
      return this.#unanswered(error.reason);
    }
  }

  #take(text: string): void {
    this.#reply.push(text);
    if (this.#reply.problem) this.#giveUp.abort('problem');
  }

  /** The end of a turn whose request was not answered, or not to its end. */
  #unanswered(reason: ModelFailure): ModelTurn {
    const { problem, isCut } = this.#reply;
    if (problem) return this.#problem(problem);
    if (this.#input.signal?.aborted) return this.#result({ kind: 'aborted' });
    if (reason === 'aborted') return this.#failed('timeout');
    // All that is spoken of an answer without an end has been said.
    if (isCut) return this.#result({ kind: 'replied' });
    return this.#failed(reason);
  }

  #finish(): ModelTurn {
    const problem = this.#reply.finish();
    return problem ? this.#problem(problem) : this.#result({ kind: 'replied' });
  }

  #problem(problem: ReplyProblem): ModelTurn {
    switch (problem.kind) {
      case 'failure':
        return this.#failed(problem.failure);
      case 'no_answer':
        return this.#result({ kind: 'no_answer' });
      case 'objection':
        return this.#result({ kind: 'replaced', objection: problem.objection });
    }
  }

  #failed(failure: TurnFailure): ModelTurn {
    return this.#result({ kind: 'failed', failure });
  }

  #result<const Result extends object>(result: Result): Result & { state: SessionState; said: readonly Sentence[] } {
    return { ...result, state: this.#state, said: this.#reply.said };
  }

  /** Answers what the model asks tools for. An action ends the turn: the first one that is in order. */
  #callTools(text: string, calls: readonly ToolCall[]): ModelTurn | undefined {
    const results: ChatMessage[] = [];
    for (const call of calls) {
      const request = readToolCall(call, this.#rules());
      if (request.kind === 'action') {
        const turn = this.#requestAction(request.action);
        if (!('refused' in turn)) return this.#result({ kind: 'action', turn });
        results.push(this.#refuse(call, turn.refused));
      } else if (request.kind === 'error') results.push(this.#refuse(call, request.error));
      else results.push(resultOf(call, { matches: this.#findPeople(request.name) }));
    }
    this.#messages.push({
      role: 'assistant',
      content: text === '' ? null : text,
      tool_calls: calls.map(({ id, name, arguments: given }) => ({
        id,
        type: 'function',
        function: { name, arguments: isJson(given) ? given : '{}' },
      })),
    });
    this.#messages.push(...results);
    return undefined;
  }

  #requestAction(action: RequestedAction): ReturnType<SessionEngine['requestAction']> {
    const { facts, heard } = this.#input;
    return this.#deps.engine.requestAction(this.#state, facts, action, heard);
  }

  #refuse(call: ToolCall, error: ToolError): ChatMessage {
    this.#badCalls += 1;
    return resultOf(call, { error });
  }

  #findPeople(name: string): { target: string; name: string }[] {
    const found = findTargets(plainText(name), this.#input.facts.targets)
      .slice(0, PEOPLE_MAX)
      .map(({ target }) => target);
    const { model } = this.#state;
    const given = [...new Set([...model.givenTargets, ...found.map(({ id }) => id)])].slice(-GIVEN_TARGETS_MAX);
    this.#state = { ...this.#state, model: { ...model, givenTargets: given } };
    this.#learnt = [...this.#learnt, ...found.map((target) => ({ source: null, text: target.name }))];
    this.#check = undefined;
    return found.map((target) => ({ target: target.id, name: target.name }));
  }

  #rules(): ToolRules {
    const { facts, heard } = this.#input;
    const given = new Set(this.#state.model.givenTargets);
    const targets = facts.targets.filter(({ id, type }) => type === 'transfer_target' || given.has(id));
    const withText = facts.knowledge.entries.filter(({ text }) => text !== null);
    return {
      allowed: this.#tools,
      targets: new Set(targets.map(({ id }) => id)),
      entries: new Set(withText.map(({ id }) => id)),
      callingRules: facts.company.callingRules,
      callerWords: [...callerWordsOf(this.#input.state), heard],
      language: facts.assistant.language,
      withoutSecrets: (text) => maskSecrets(text).text,
    };
  }

  #makeCheck(): ReplyCheck {
    const { facts, heard } = this.#input;
    const { sources, hidden, ids } = this.#prompt;
    const said = [...callerWordsOf(this.#input.state), heard].map((text) => ({ source: null, text }));
    return replyCheck({
      language: facts.assistant.language,
      sources: [...sources, ...said, ...this.#learnt],
      hidden,
      ids,
    });
  }

  #fill(): void {
    if (this.#hasFiller || this.#reply.said.length > 0 || this.#giveUp.signal.aborted) return;
    this.#hasFiller = true;
    const { model } = this.#state;
    this.#input.onFiller();
    this.#input.say(filler(this.#input.facts.assistant.language, model.fillers));
    this.#state = { ...this.#state, model: { ...model, fillers: model.fillers + 1 } };
  }
}

function callerWordsOf({ conversation }: SessionState): string[] {
  return conversation.flatMap(({ by, text }) => (by === 'caller' ? [text] : []));
}

function resultOf({ id }: ToolCall, result: unknown): ChatMessage {
  return { role: 'tool', tool_call_id: id, content: JSON.stringify(result) };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
