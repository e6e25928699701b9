/** The messages of a partition that were read and are not completed, in the order of the stream. */
export interface InFlightMessages {
  add(sequence: number): void;
  remove(sequence: number): void;
  /** The oldest one; undefined when everything that was read is completed. */
  oldest(): number | undefined;
  size(): number;
}

export function trackInFlightMessages(): InFlightMessages {
  // A Set keeps the order of insertion, and sequences are read in ascending order.
  const sequences = new Set<number>();
  return {
    add: (sequence) => void sequences.add(sequence),
    remove: (sequence) => void sequences.delete(sequence),
    oldest: () => sequences.values().next().value,
    size: () => sequences.size,
  };
}
