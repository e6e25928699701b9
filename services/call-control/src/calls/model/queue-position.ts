import type { Call } from './call.ts';

/** The fields that determine the place of a call in its queue. */
export const QUEUE_FIELDS = [
  'phase',
  'queuedAt',
  'startedAt',
  'number',
  'remoteNumber',
  'callback',
] as const satisfies readonly (keyof Call)[];

export type QueuedCall = Pick<Call, 'id' | (typeof QUEUE_FIELDS)[number]>;

/** The places of waiting calls in the queues of their business numbers, from 1, by the id of the call. */
export function queuePositions(calls: readonly QueuedCall[]): ReadonlyMap<string, number> {
  const waiting = calls.filter(({ phase }) => phase.kind === 'waiting');
  const inOrder = waiting.toSorted((a, b) => waitingSince(a) - waitingSince(b) || (a.id < b.id ? -1 : 1));
  const byNumber = Map.groupBy(inOrder, ({ number }) => number.id);
  return new Map([...byNumber.values()].flatMap((queue) => queue.map(({ id }, index) => [id, index + 1] as const)));
}

/** In milliseconds. */
export function waitingSince({ queuedAt, startedAt }: Pick<Call, 'queuedAt' | 'startedAt'>): number {
  return (queuedAt ?? startedAt).getTime();
}
