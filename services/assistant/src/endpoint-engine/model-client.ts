import { type Egress, EgressError, type EgressResponse } from '@parley/egress';
import { type Completion, completionReader, UnreadableAnswer } from './completion-reader.ts';
import { type ChatMessage, estimateTokens } from './prompt.ts';

/** A language model behind an address. */
export interface ModelAddress {
  /** Whose it is: the operator's own may be at an address that companies' may not. */
  readonly source: 'company' | 'operator';
  /** The base up to the version. */
  readonly url: string;
  readonly model: string;
  readonly apiKey: string | null;
}

/** Why there is no answer, or none that can be used. */
export type ModelFailure =
  | 'unreachable'
  | 'unauthorized'
  | 'unknown_model'
  | 'timeout'
  | 'invalid_answer'
  | 'broken_stream'
  | 'too_long'
  | 'aborted';

/** Tokens that a request has used, counted by the model or estimated. */
export interface TokensUsed {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A request without a usable answer. Its message is for logs: it has nothing of what was said. */
export class ModelError extends Error {
  readonly reason: ModelFailure;
  readonly used: TokensUsed;

  constructor(reason: ModelFailure, used: TokensUsed, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ModelError';
    this.reason = reason;
    this.used = used;
  }
}

export interface ModelRequest {
  readonly address: ModelAddress;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly unknown[];
  /** Until the first token. */
  readonly firstTokenMs: number;
  /** Between two of them. */
  readonly nextTokenMs: number;
  /** All of it. */
  readonly totalMs: number;
  readonly signal?: AbortSignal;
  /** A piece of the text. Must not throw. */
  readonly onText?: (text: string) => void;
  /** Text, or a piece of a tool call. */
  readonly onToken?: () => void;
}

export interface ModelAnswer extends Completion {
  readonly used: TokensUsed;
}

/** For one answer: a reply is three sentences. */
const OUTPUT_TOKENS_MAX = 300;
/** Tokens of some languages are longer than others'. */
const OUTPUT_LENGTH_MAX = OUTPUT_TOKENS_MAX * 8;
const RESPONSE_BYTES_MAX = 512 * 1024;
const NOTHING_USED: TokensUsed = { inputTokens: 0, outputTokens: 0 };

export type ModelClient = ReturnType<typeof modelClient>;

/** Asks language models. The key is sent to its address, and is in no log and no error. */
export function modelClient(egresses: Readonly<Record<ModelAddress['source'], Pick<Egress, 'request'>>>) {
  /** Addresses of models that know only the newer name of the bound of an answer. */
  const newerBound = new Set<string>();

  async function ask(request: ModelRequest): Promise<ModelAnswer> {
    const { address, messages, tools } = request;
    const bound = newerBound.has(keyOf(address)) ? 'max_completion_tokens' : 'max_tokens';
    const body = JSON.stringify({
      model: address.model,
      messages,
      ...(tools.length > 0 && { tools }),
      stream: true,
      stream_options: { include_usage: true },
      [bound]: OUTPUT_TOKENS_MAX,
    });
    const exchange = new Exchange(request, estimateTokens(JSON.stringify([messages, tools])));
    const response = await exchange.send(egresses[address.source], body);
    if (response.status < 300 && response.status >= 200) return exchange.answer(response.truncated);
    if (bound === 'max_tokens' && refusesBound(response)) {
      newerBound.add(keyOf(address));
      return ask(request);
    }
    throw refusal(response);
  }
  return { ask };
}

const keyOf = ({ url, model }: ModelAddress) => `${url} ${model}`;

/** One request and its answer, with its limits. */
class Exchange {
  readonly #request: ModelRequest;
  readonly #inputTokens: number;
  readonly #giveUp = new AbortController();
  readonly #reader: ReturnType<typeof completionReader>;
  /** Undefined once nothing is waited for. */
  #timer: NodeJS.Timeout | undefined;
  #failure: { readonly reason: ModelFailure; readonly cause?: unknown } | undefined;
  #hasBegun = false;

  constructor(request: ModelRequest, inputTokens: number) {
    this.#request = request;
    this.#inputTokens = inputTokens;
    this.#reader = completionReader(
      (text) => request.onText?.(text),
      () => {
        request.onToken?.();
        if (this.#timer) this.#expectToken(request.nextTokenMs);
      },
    );
  }

  /** Throws `ModelError`. */
  async send(egress: Pick<Egress, 'request'>, body: string): Promise<EgressResponse> {
    const { address, firstTokenMs, totalMs, signal } = this.#request;
    const abort = () => this.#fail('aborted');
    if (signal?.aborted) throw new ModelError('aborted', NOTHING_USED, 'the request was given up');
    signal?.addEventListener('abort', abort, { once: true });
    this.#expectToken(firstTokenMs);
    try {
      return await egress.request({
        method: 'POST',
        url: `${address.url.replace(/\/+$/, '')}/chat/completions`,
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream, application/json',
          ...(address.apiKey !== null && { authorization: `Bearer ${address.apiKey}` }),
        },
        body,
        timeoutMs: totalMs,
        maxResponseBytes: RESPONSE_BYTES_MAX,
        signal: this.#giveUp.signal,
        onData: (piece, { status }) => this.#read(piece, status),
      });
    } catch (error) {
      throw this.#error(error);
    } finally {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Throws `ModelError`. */
  answer(isCut: boolean): ModelAnswer {
    if (this.#failure) throw this.#error(undefined);
    try {
      const completion = this.#reader.end(!isCut);
      if (isCut && !completion.isEnded) throw new ModelError('broken_stream', this.#used(), 'the answer was cut off');
      return { ...completion, used: this.#used() };
    } catch (error) {
      throw error instanceof ModelError ? error : this.#error(error);
    }
  }

  #read(piece: Buffer, status: number): void {
    if (status < 200 || status >= 300 || this.#failure) return;
    this.#hasBegun = true;
    try {
      this.#reader.push(piece);
      if (this.#outputLength() > OUTPUT_LENGTH_MAX) this.#fail('too_long');
    } catch (error) {
      this.#fail('invalid_answer', error);
    }
  }

  #outputLength(): number {
    const { text, toolCalls } = this.#reader.current();
    return text.length + toolCalls.reduce((length, call) => length + call.name.length + call.arguments.length, 0);
  }

  #expectToken(withinMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fail('timeout'), withinMs);
  }

  #fail(reason: ModelFailure, cause?: unknown): void {
    this.#failure ??= { reason, cause };
    this.#giveUp.abort();
  }

  #error(error: unknown): ModelError {
    const { reason, cause } = this.#failure ?? { reason: failureOf(error), cause: error };
    return new ModelError(reason, this.#used(), `no answer of the model: ${reason}`, cause);
  }

  /** What a request has used that was not refused, as far as it got. */
  #used(): TokensUsed {
    if (!this.#hasBegun) return NOTHING_USED;
    const counted = this.#reader.current().usage;
    return counted ?? { inputTokens: this.#inputTokens, outputTokens: Math.ceil(this.#outputLength() / 4) };
  }
}

function failureOf(error: unknown): ModelFailure {
  if (error instanceof UnreadableAnswer) return 'invalid_answer';
  if (!(error instanceof EgressError)) return 'invalid_answer';
  switch (error.reason) {
    case 'timeout':
      return 'timeout';
    case 'protocol':
      return 'broken_stream';
    case 'aborted':
      return 'aborted';
    case 'refused_address':
    case 'dns':
    case 'connect':
    case 'tls':
      return 'unreachable';
  }
}

/** A redirect is not followed. */
function refusal({ status, body }: EgressResponse): ModelError {
  const reason: ModelFailure =
    status === 401 || status === 403
      ? 'unauthorized'
      : status === 404 || /model_not_found/.test(body.toString('utf8'))
        ? 'unknown_model'
        : status === 502 || status === 503 || status === 504
          ? 'unreachable'
          : 'invalid_answer';
  return new ModelError(reason, NOTHING_USED, `the model answered with the status ${status}`);
}

/** Newer models of OpenAI take no `max_tokens`. */
function refusesBound({ status, body }: EgressResponse): boolean {
  return status === 400 && body.toString('utf8').includes('max_completion_tokens');
}
