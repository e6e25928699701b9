import { z } from 'zod';
import { DELAY_MS_MAX, responseEntry, responseFrom, type HookResponse } from '../hooks/hook-plan.ts';

/** One response of a scripted server. */
export interface ServerResponse extends HookResponse {
  readonly delayMs: number;
  /** The connection is closed after so many bytes of the body; with 0, instead of a response. */
  readonly cutAfterBytes: number | undefined;
}

const RESPONSES_MAX = 1_000;

const serverResponse = responseEntry.extend({
  delay_ms: z.int().min(0).max(DELAY_MS_MAX).default(0),
  cut_after_bytes: z.int().min(0).optional(),
});

/** The body of `PUT /servers/:name`. */
export const serverScriptInput = z.object({
  responses: z.array(serverResponse).min(1).max(RESPONSES_MAX),
});

/** The responses of a server, in order; the last one repeats. */
export function scriptFrom({ responses }: z.output<typeof serverScriptInput>): ServerResponse[] {
  return responses.map(({ delay_ms: delayMs, cut_after_bytes: cutAfterBytes, ...entry }) => ({
    ...responseFrom(entry),
    delayMs,
    cutAfterBytes,
  }));
}
