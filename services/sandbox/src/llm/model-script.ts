import { z } from 'zod';

const TURNS_MAX = 500;
const TEXT_LENGTH_MAX = 1_000_000;
const LINES_MAX = 10_000;
const TOOL_CALLS_MAX = 100;
/** Longer than any client waits. */
const DELAY_MS_MAX = 600_000;

const delayMs = z.int().min(0).max(DELAY_MS_MAX);

const text = z.string().max(TEXT_LENGTH_MAX);

const toolCall = z.object({
  name: z.string().max(200),
  /** A text is sent as it is: models write arguments that are no JSON, too. */
  arguments: z.union([text, z.record(z.string(), z.json())]).default({}),
});

const expression = z
  .string()
  .min(1)
  .max(500)
  .refine((pattern) => isExpression(pattern), 'is not a regular expression');

const turn = z.object({
  when: expression.optional(),
  reply: text.nullish(),
  tool_calls: z.array(toolCall).max(TOOL_CALLS_MAX).default([]),
  first_token_ms: delayMs.default(100),
  token_ms: delayMs.default(10),
  status: z.int().min(200).max(599).optional(),
  body: z.json().optional(),
  hang: z.boolean().default(false),
  drop_after_tokens: z.int().min(0).optional(),
  raw: z.union([z.array(text).max(LINES_MAX), text.transform((lines) => lines.split('\n'))]).optional(),
  stream: z.boolean().default(true),
  usage: z.record(z.string(), z.json()).nullish(),
});

/** The body of `PUT /llm/scripts/:model`. */
export const modelScriptInput = z.object({
  turns: z.array(turn).max(TURNS_MAX),
  at_end: z.enum(['repeat', 'error']).default('repeat'),
});

/** What a scripted model answers, request by request. */
export type ModelScript = z.output<typeof modelScriptInput>;

/** One answer of a scripted model. */
export type ModelTurn = ModelScript['turns'][number];

/** How far a script is. */
export interface ScriptProgress {
  /** How many turns without a condition were given. */
  readonly given: number;
  /** How often each turn with a condition was given, by its place in the script. */
  readonly uses: Readonly<Record<number, number>>;
  /** The text that the turns in `answered` were given for. */
  readonly text: string;
  readonly answered: readonly number[];
}

export const scriptStart: ScriptProgress = { given: 0, uses: {}, text: '', answered: [] };

/** What a script needs to know of a request. */
export interface ModelPrompt {
  /** The last text of the user. */
  readonly text: string;
  /** Whether the model is asked again for the same text, after results of tools. */
  readonly continued: boolean;
}

/**
 * The turn that answers a request: of the turns whose condition the text fulfils the one that was given least, else the next one
 * without a condition. While a text is being answered with the help of tools, each condition counts once for it. Undefined at the end.
 */
export function nextTurn(
  { turns, at_end: atEnd }: ModelScript,
  progress: ScriptProgress,
  { text: said, continued }: ModelPrompt,
  matches: (pattern: string, text: string) => boolean,
): { readonly turn: ModelTurn | undefined; readonly progress: ScriptProgress } {
  const answered = continued && said === progress.text ? progress.answered : [];
  const usesOf = (place: number) => progress.uses[place] ?? 0;
  const fitting = turns
    .map((candidate, place) => ({ candidate, place }))
    .filter(({ candidate, place }) => candidate.when !== undefined && !answered.includes(place))
    .filter(({ place }) => atEnd === 'repeat' || usesOf(place) === 0)
    .filter(({ candidate }) => matches(candidate.when!, said))
    .toSorted((one, other) => usesOf(one.place) - usesOf(other.place))[0];
  if (fitting) {
    const { candidate, place } = fitting;
    const uses = { ...progress.uses, [place]: usesOf(place) + 1 };
    return { turn: candidate, progress: { ...progress, uses, text: said, answered: [...answered, place] } };
  }
  const inOrder = turns.filter(({ when }) => when === undefined);
  const place = atEnd === 'repeat' && inOrder.length > 0 ? progress.given % inOrder.length : progress.given;
  return { turn: inOrder[place], progress: { ...progress, given: progress.given + 1, text: said, answered } };
}

function isExpression(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'i') instanceof RegExp;
  } catch {
    return false;
  }
}
