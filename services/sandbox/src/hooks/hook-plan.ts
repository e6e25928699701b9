import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';

/** What the receiver answers one request with. */
export interface HookAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the receiver answers, in order, and how long each answer takes. */
export interface HookPlan {
  readonly answers: readonly HookAnswer[];
  readonly delayMs: number;
}

const plainAnswer = (status: number): HookAnswer => ({ status, headers: {}, body: '' });

/** A receiver without a plan answers 200 immediately. */
export const defaultPlan: HookPlan = { answers: [plainAnswer(200)], delayMs: 0 };

/** The answer to the request that arrived as number `index` since the plan was set; the last one repeats. */
export function answerAt({ answers }: HookPlan, index: number): HookAnswer {
  return answers[Math.min(index, answers.length - 1)] ?? plainAnswer(200);
}

/** Longer than any sender's timeout. */
const DELAY_MS_MAX = 600_000;

/** Headers that the server sets itself; a wrong value would break the connection. */
const FRAMING = new Set(['content-length', 'transfer-encoding', 'connection']);

const status = z.int().min(200).max(599);

const headers = z.record(z.string(), z.coerce.string()).superRefine((given, context) => {
  for (const [name, value] of Object.entries(given)) {
    if (!isHeader(name, value))
      context.addIssue({ code: 'custom', path: [name], message: 'cannot be sent as a header' });
  }
});

const answerEntry = z.object({ status: status.default(200), headers: headers.default({}), body: z.json().optional() });

/** The body of `PUT /hooks/:name`. */
export const hookPlanInput = z.object({
  responses: z.array(z.union([status, answerEntry])).default([]),
  delay_ms: z.int().min(0).max(DELAY_MS_MAX).default(0),
});

export function planFrom(input: z.infer<typeof hookPlanInput>): HookPlan {
  const answers = input.responses.map((entry) => (typeof entry === 'number' ? plainAnswer(entry) : answerFrom(entry)));
  return { answers: answers.length > 0 ? answers : defaultPlan.answers, delayMs: input.delay_ms };
}

/** Text is sent unchanged; anything else is sent as JSON with its content type, unless the entry names its own type. */
function answerFrom({ status, headers, body }: z.infer<typeof answerEntry>): HookAnswer {
  if (body === undefined || body === null) return { status, headers, body: '' };
  if (typeof body === 'string') return { status, headers, body };
  const named = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  return {
    status,
    headers: named ? headers : { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

function isHeader(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return !FRAMING.has(name.toLowerCase());
  } catch {
    return false;
  }
}
