import type { Call } from './call.ts';

/** The fields of a call that a live report shows, or that a change of its company affects. */
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
  'supervision',
] as const satisfies readonly (keyof Call)[];

export type OpenCall = Pick<Call, 'id' | (typeof OPEN_CALL_FIELDS)[number]>;
