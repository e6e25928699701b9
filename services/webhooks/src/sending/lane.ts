import type { Claimed } from '../deliveries/delivery-store.ts';

/** A delivery that this process has claimed, to be sent once those before it in its lane are settled. */
export interface Turn extends Claimed {
  /** The decrypted body, where it is known. */
  readonly body?: string;
  /** False when it was stored before. Only for what this process stores behind a delivery that it sends. */
  readonly isNew?: Promise<boolean>;
}

/**
 * A lane in one process, which sends its deliveries one after the other. `turns` are sent next, `hasMore`: others wait in the database
 * since it was last read.
 */
export type Lane =
  /** This process sends none of it. */
  | { readonly kind: 'idle'; readonly hasMore: boolean; readonly lastPosition?: number }
  /** Nothing waits in the database: what this process stores behind the one that it sends is sent from memory. */
  | { readonly kind: 'sending'; readonly hasMore: boolean; readonly turns: readonly Turn[] }
  /** Others may wait in the database, and nothing is sent before them: `turns` were read from there. */
  | { readonly kind: 'closed'; readonly hasMore: boolean; readonly turns: readonly Turn[] };

export type LaneEvent =
  /** This process stores further deliveries; only while there is room. */
  | { readonly kind: 'stored'; readonly turns: readonly Turn[] }
  /** Another delivery waits in the database. */
  | { readonly kind: 'waiting' }
  /** The result of a delivery is stored; false when certainly no other one waits for it in the database. */
  | { readonly kind: 'settled'; readonly position: number; readonly mayHaveSuccessor: boolean }
  /** The next one was stored before, perhaps by another process. */
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'read'; readonly turns: readonly Turn[] }
  /** A delivery has to be tried later; `unsent`, when it was not tried at all. */
  | { readonly kind: 'interrupted'; readonly unsent?: Turn };

/** What follows from an event; nothing more is done for a lane that is idle. */
export interface LaneStep {
  readonly lane: Lane;
  /** They wait in the database from now on. */
  readonly returned: readonly Turn[];
  /** What is done once they do: one is sent, or the next ones are read. */
  readonly next?: Turn | 'read';
}

/** The deliveries of a lane that are claimed together. */
export const TURNS_MAX = 20;

/** True when deliveries that are stored now can be sent from memory. */
export function hasRoom(lane: Lane, count: number): boolean {
  return lane.kind === 'sending' && !lane.hasMore && lane.turns.length + count <= TURNS_MAX;
}

export function stepOf(lane: Lane, event: LaneEvent): LaneStep {
  if (lane.kind === 'idle') return { lane, returned: [] };
  const { turns, hasMore } = lane;
  switch (event.kind) {
    case 'stored':
      return { lane: { ...lane, turns: [...turns, ...event.turns] }, returned: [] };
    case 'waiting':
      return { lane: { ...lane, hasMore: true }, returned: [] };
    case 'settled': {
      const { position: lastPosition, mayHaveSuccessor } = event;
      const mustRead = hasMore || mayHaveSuccessor;
      if (turns.length > 0 && !(mustRead && lane.kind === 'sending')) return sendFirst(lane, turns);
      return mustRead ? read(turns) : { lane: { kind: 'idle', hasMore: false, lastPosition }, returned: [] };
    }
    case 'duplicate':
      return read(turns);
    case 'read':
      if (event.turns.length > 0) return sendFirst(lane, event.turns);
      return hasMore ? read([]) : { lane: { kind: 'idle', hasMore: false }, returned: [] };
    case 'interrupted': {
      const returned = event.unsent ? [event.unsent, ...turns] : turns;
      return { lane: { kind: 'idle', hasMore: hasMore || returned.length > 0 }, returned };
    }
  }
}

function sendFirst(lane: Exclude<Lane, { kind: 'idle' }>, [next, ...turns]: readonly Turn[]): LaneStep {
  return { lane: { ...lane, turns }, returned: [], next: next! };
}

/** What is in memory is returned: it may be behind what waits in the database. */
function read(returned: readonly Turn[]): LaneStep {
  return { lane: { kind: 'closed', turns: [], hasMore: false }, returned, next: 'read' };
}
