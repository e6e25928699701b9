/**
 * Events are partitioned by aggregate: each partition has one active reader per follower, so the events of an aggregate
 * are applied in order without coordination. Fixed: a change would move aggregates between readers and subjects.
 */
export const PARTITIONS = 16;

export const allPartitions: readonly number[] = Array.from({ length: PARTITIONS }, (_, partition) => partition);

/** The partition of an aggregate's events. FNV-1a: stable across processes and versions, and evenly spread. */
export function partitionOf(aggregateId: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < aggregateId.length; i++) {
    hash ^= aggregateId.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  return (hash >>> 0) % PARTITIONS;
}
