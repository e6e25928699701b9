import { z } from 'zod';
import type { ModelPrompt, ModelTurn } from './model-script.ts';

/** A piece of the arguments of a tool; about what a token is. */
const ARGUMENTS_PIECE = 12;
const CHARACTERS_PER_TOKEN = 4;

const messageJson = z.looseObject({ role: z.string(), content: z.unknown() });
const requestJson = z.looseObject({
  model: z.string(),
  messages: z.array(messageJson),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
});

/** A request for a completion, as far as a script needs it. */
export interface CompletionRequest {
  readonly model: string;
  readonly prompt: ModelPrompt;
  readonly streamed: boolean;
  readonly wantsUsage: boolean;
  readonly inputTokens: number;
}

/** Undefined when it is not one. */
export function readCompletionRequest(body: unknown): CompletionRequest | undefined {
  const parsed = requestJson.safeParse(body);
  if (!parsed.success) return undefined;
  const { model, messages, stream, stream_options: options } = parsed.data;
  const lastUser = messages.findLast(({ role }) => role === 'user');
  return {
    model,
    prompt: { text: textOf(lastUser?.content), continued: messages.at(-1)?.role === 'tool' },
    streamed: stream === true,
    wantsUsage: options?.include_usage === true,
    inputTokens: Math.ceil(JSON.stringify(messages).length / CHARACTERS_PER_TOKEN),
  };
}

/** Content is a text, or parts of which some are texts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: unknown } | null) => (typeof part?.text === 'string' ? part.text : '')).join(' ');
}

type Delta = Readonly<Record<string, unknown>>;

/** The deltas of a turn, one for each token: the words of its reply, then its tool calls piece by piece. */
function deltasOf({ reply, tool_calls: toolCalls }: ModelTurn): Delta[] {
  const words = (reply ?? '').match(/\s*\S+(?:\s+$)?|^\s+$/g) ?? [];
  const calls = toolCalls.flatMap((call, index): Delta[] => {
    const named = { index, id: callId(index), type: 'function', function: { name: call.name, arguments: '' } };
    const pieces = argumentsText(call).match(new RegExp(`[\\s\\S]{1,${ARGUMENTS_PIECE}}`, 'g')) ?? [];
    return [
      { tool_calls: [named] },
      ...pieces.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ];
  });
  return [...words.map((content) => ({ content })), ...calls];
}

/** The parts of a streamed answer around its tokens, as lines of server-sent events. */
export function streamedCompletion(turn: ModelTurn, request: CompletionRequest, created: number) {
  const head = { id: 'chatcmpl-sandbox', object: 'chat.completion.chunk', created, model: request.model };
  const chunk = (delta: Delta, finish: string | null = null) =>
    event({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] });
  const tokens = deltasOf(turn);
  const usage = request.wantsUsage ? usageOf(turn, request, tokens.length) : undefined;
  return {
    before: chunk({ role: 'assistant', content: turn.tool_calls.length > 0 && !turn.reply ? null : '' }),
    tokens: tokens.map((delta) => chunk(delta)),
    after: [
      chunk({}, finishReason(turn)),
      ...(usage ? [event({ ...head, choices: [], usage })] : []),
      'data: [DONE]\n\n',
    ].join(''),
  };
}

/** An answer in one piece. */
export function wholeCompletion(turn: ModelTurn, request: CompletionRequest, created: number): unknown {
  const calls = turn.tool_calls.map((call, index) => ({
    id: callId(index),
    type: 'function',
    function: { name: call.name, arguments: argumentsText(call) },
  }));
  const message = {
    role: 'assistant',
    content: turn.reply ?? null,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  const usage = usageOf(turn, request, deltasOf(turn).length);
  return {
    id: 'chatcmpl-sandbox',
    object: 'chat.completion',
    created,
    model: request.model,
    choices: [{ index: 0, message, finish_reason: finishReason(turn) }],
    ...(usage && { usage }),
  };
}

/** An error in the form of OpenAI's. */
export const completionError = (message: string, type: string, code: string | null) => ({
  error: { message, type, param: null, code },
});

function usageOf({ usage }: ModelTurn, { inputTokens }: CompletionRequest, outputTokens: number) {
  if (usage === null) return undefined;
  const counted = {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
  return usage ?? counted;
}

const finishReason = ({ tool_calls: calls }: ModelTurn) => (calls.length > 0 ? 'tool_calls' : 'stop');

const callId = (index: number) => `call_${index + 1}`;

function argumentsText({ arguments: given }: ModelTurn['tool_calls'][number]): string {
  return typeof given === 'string' ? given : JSON.stringify(given);
}

const event = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;
