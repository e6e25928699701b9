import type { Call } from './call.ts';

/** What decides what a live report says about a call. */
export const OPEN_CALL_FIELDS = [
  'phase',
  'queuedAt',
  'startedAt',
  'answeredAt',
  'number',
  'remoteNumber',
  'transfers',
  'hold',
  'callback',
] as const satisfies readonly (keyof Call)[];

export type OpenCall = Pick<Call, 'id' | (typeof OPEN_CALL_FIELDS)[number]>;
