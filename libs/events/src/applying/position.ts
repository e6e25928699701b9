/** A follower's position in one aggregate's events of a noun: everything up to `sequence`, and the few listed in `ahead`. */
export interface Position {
  readonly sequence: number;
  /** Applied although an earlier one was still missing; ascending. */
  readonly ahead: readonly number[];
}

export const NOTHING_APPLIED: Position = { sequence: 0, ahead: [] };

/** Beyond this the gap is accepted: the missing events had expired before this follower existed. */
const AHEAD_MAX = 256;

/** The last one that was applied, whatever is missing before it. */
export function lastApplied({ sequence, ahead }: Position): number {
  return ahead.at(-1) ?? sequence;
}

/** `applied`: seen before. `next`: follows the last one, or fills a gap before it. `early`: something before it is missing. */
export function compareTo(position: Position, sequence: number): 'applied' | 'next' | 'early' {
  if (sequence <= position.sequence || position.ahead.includes(sequence)) return 'applied';
  return sequence <= lastApplied(position) + 1 ? 'next' : 'early';
}

/** The position after applying one more. */
export function advance(position: Position, sequence: number): Position {
  if (compareTo(position, sequence) === 'applied') return position;
  return closeGap({ sequence: position.sequence, ahead: [...position.ahead, sequence] });
}

/** Everything that one of two positions has. */
export function merge(one: Position, other: Position): Position {
  const sequence = Math.max(one.sequence, other.sequence);
  return closeGap({ sequence, ahead: [...new Set([...one.ahead, ...other.ahead])] });
}

/** The same position in its shortest form: a filled gap swallows what was ahead of it. `ahead` may be in any order. */
export function closeGap(position: Position): Position {
  const ahead = position.ahead.filter((sequence) => sequence > position.sequence).sort((a, b) => a - b);
  let reached = position.sequence;
  while (ahead[0] === reached + 1) reached = ahead.shift() ?? reached;
  if (ahead.length > AHEAD_MAX) return { sequence: ahead.at(-1) ?? reached, ahead: [] };
  return { sequence: reached, ahead };
}
