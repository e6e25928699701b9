import type { ToolCall } from './tools.ts';

/** Why a model's answer cannot be used. */
export class UnreadableAnswer extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnreadableAnswer';
  }
}

/** Tokens that a request has used, as the model counted them. */
export interface ReportedUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** What has arrived of an answer. */
export interface Completion {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** Undefined until the model says why it ended. */
  readonly finishReason: string | undefined;
  /** Whether the end was announced, by a reason or by `[DONE]`. */
  readonly isEnded: boolean;
  /** Undefined when the model did not count. */
  readonly usage: ReportedUsage | undefined;
  /** Whether it came as a stream of events. */
  readonly isStreamed: boolean;
}

const LINE_LENGTH_MAX = 256 * 1024;
const TOOL_CALLS_MAX = 8;
const ARGUMENTS_LENGTH_MAX = 8 * 1024;
const TOKENS_MAX = 10_000_000;

interface GrowingCall {
  index: unknown;
  id: string;
  name: string;
  arguments: string;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads an answer of OpenAI's chat completions piece by piece, as tolerantly as servers differ: streamed or not, tool calls in pieces or
 * whole, with or without ids. Throws `UnreadableAnswer`.
 */
export function completionReader(onText: (text: string) => void, onToken: () => void) {
  const decoder = new TextDecoder();
  const calls: GrowingCall[] = [];
  let pending = '';
  /** Undefined until the first line tells. */
  let isStreamed: boolean | undefined;
  let text = '';
  let finishReason: string | undefined;
  let isDone = false;
  let usage: ReportedUsage | undefined;

  function readLines(): void {
    for (let end = pending.indexOf('\n'); end >= 0; end = pending.indexOf('\n')) {
      const line = pending.slice(0, end).trim();
      if (isStreamed === undefined && line !== '') isStreamed = !line.startsWith('{');
      if (isStreamed === false) break;
      pending = pending.slice(end + 1);
      readLine(line);
    }
    if (pending.length > LINE_LENGTH_MAX) throw new UnreadableAnswer('a line is too long');
  }

  function readLine(line: string): void {
    // Other fields of server-sent events, comments and empty lines mean nothing here.
    if (!line.startsWith('data:')) {
      if (line !== '' && !/^(?::|event:|id:|retry:)/.test(line)) throw new UnreadableAnswer('a line is no event');
      return;
    }
    const data = line.slice('data:'.length).trim();
    if (data === '' || isDone) return;
    if (data === '[DONE]') isDone = true;
    else readChunk(parse(data));
  }

  function readChunk(chunk: Json): void {
    if (isObject(chunk['error']) || typeof chunk['error'] === 'string') throw new UnreadableAnswer('the model failed');
    usage = usageOf(chunk['usage']) ?? usage;
    const choice = Array.isArray(chunk['choices']) ? chunk['choices'][0] : undefined;
    if (!isObject(choice)) return;
    if (typeof choice['finish_reason'] === 'string') finishReason = choice['finish_reason'];
    const message = isObject(choice['delta']) ? choice['delta'] : choice['message'];
    if (isObject(message)) readMessage(message);
  }

  function readMessage(message: Json): void {
    const piece = contentOf(message['content']);
    if (piece !== '') {
      text += piece;
      onToken();
      onText(piece);
    }
    const given = Array.isArray(message['tool_calls']) ? message['tool_calls'] : [message['function_call']];
    for (const call of given) if (isObject(call)) readCall(call);
  }

  function readCall(call: Json): void {
    onToken();
    const named = isObject(call['function']) ? call['function'] : call;
    const name = typeof named['name'] === 'string' ? named['name'] : '';
    const id = typeof call['id'] === 'string' ? call['id'] : '';
    const known = callOf(call['index'], id, name);
    if (!known) {
      if (calls.length >= TOOL_CALLS_MAX) throw new UnreadableAnswer('too many calls of tools');
      calls.push({ index: call['index'], id, name, arguments: argumentsText(named['arguments']) });
      return;
    }
    known.id ||= id;
    // Some servers repeat the name with every piece, others send it in pieces.
    if (name !== known.name && known.arguments === '') known.name += name;
    known.arguments += argumentsText(named['arguments']);
    if (known.arguments.length > ARGUMENTS_LENGTH_MAX) throw new UnreadableAnswer('arguments are too long');
  }

  /** The call that a piece belongs to; undefined when it begins another one. */
  function callOf(index: unknown, id: string, name: string): GrowingCall | undefined {
    if (index !== undefined && index !== null)
      return calls.find((call) => call.index === index && (id === '' || call.id === '' || call.id === id));
    if (id !== '') return calls.find((call) => call.id === id);
    return name === '' ? calls.at(-1) : undefined;
  }

  return {
    push(bytes: Uint8Array): void {
      pending += decoder.decode(bytes, { stream: true });
      readLines();
    },
    /** The answer is over, or what has arrived of it. `isWhole`: the connection was not cut. */
    end(isWhole: boolean): Completion {
      pending += decoder.decode();
      if (isStreamed === undefined) isStreamed = !pending.trimStart().startsWith('{');
      if (isStreamed) readLine(isWhole ? pending.trim() : '');
      else if (isWhole) {
        readChunk(parse(pending));
        isDone = true;
      }
      return this.current();
    },
    current: (): Completion => ({
      text,
      toolCalls: calls.map((call, place) => ({
        id: call.id || `call_${place + 1}`,
        name: call.name,
        arguments: call.arguments,
      })),
      finishReason,
      isEnded: isDone || finishReason !== undefined,
      usage,
      isStreamed: isStreamed ?? false,
    }),
  };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Below.
  }
  throw new UnreadableAnswer('it is not JSON');
}

/** Content is a text, null, or parts of which some are texts. */
function contentOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (isObject(part) && typeof part['text'] === 'string' ? part['text'] : '')).join('');
}

function argumentsText(given: unknown): string {
  if (typeof given === 'string') return given;
  return isObject(given) ? JSON.stringify(given) : '';
}

function usageOf(given: unknown): ReportedUsage | undefined {
  if (!isObject(given)) return undefined;
  const { prompt_tokens: input, completion_tokens: output } = given;
  return isCount(input) && isCount(output) ? { inputTokens: input, outputTokens: output } : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= TOKENS_MAX;
}
