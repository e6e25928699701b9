import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';

/** One response of a receiver. */
export interface HookResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The responses of a receiver, in order, and their delay. */
export interface HookPlan {
  readonly responses: readonly HookResponse[];
  readonly delayMs: number;
}

const plainResponse = (status: number): HookResponse => ({ status, headers: {}, body: '' });

/** A receiver without a plan responds with 200 immediately. */
export const defaultPlan: HookPlan = { responses: [plainResponse(200)], delayMs: 0 };

/** The response to the request that arrived as number `index` since the plan was set; the last one repeats. */
export function responseAt({ responses }: HookPlan, index: number): HookResponse {
  return responses[Math.min(index, responses.length - 1)] ?? plainResponse(200);
}

/** Longer than any sender's timeout. */
export const DELAY_MS_MAX = 600_000;

/** Headers that the server sets itself; a wrong value would break the connection. */
const FRAMING = new Set(['content-length', 'transfer-encoding', 'connection']);

const status = z.int().min(200).max(599);

const headers = z.record(z.string(), z.coerce.string()).superRefine((given, context) => {
  for (const [name, value] of Object.entries(given)) {
    if (!isHeader(name, value))
      context.addIssue({ code: 'custom', path: [name], message: 'cannot be sent as a header' });
  }
});

/** A response as it is set; any JSON is a body. */
export const responseEntry = z.object({
  status: status.default(200),
  headers: headers.default({}),
  body: z.json().optional(),
});

/** The body of `PUT /hooks/:name`. */
export const hookPlanInput = z.object({
  responses: z.array(z.union([status, responseEntry])).default([]),
  delay_ms: z.int().min(0).max(DELAY_MS_MAX).default(0),
});

export function planFrom(input: z.infer<typeof hookPlanInput>): HookPlan {
  const responses = input.responses.map((entry) =>
    typeof entry === 'number' ? plainResponse(entry) : responseFrom(entry),
  );
  return { responses: responses.length > 0 ? responses : defaultPlan.responses, delayMs: input.delay_ms };
}

/** Text is sent unchanged; anything else is sent as JSON with its content type, unless the entry names its own type. */
export function responseFrom({ status, headers, body }: z.infer<typeof responseEntry>): HookResponse {
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
