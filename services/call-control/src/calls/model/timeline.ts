/** One thing that happened in a call, with its cause: the input that led to it. */
export interface TimelineEntry {
  readonly at: Date;
  readonly type:
    | 'state'
    | 'input'
    | 'offer'
    | 'leg'
    | 'timer'
    | 'command'
    | 'transfer'
    | 'hold'
    | 'recording'
    | 'supervision'
    | 'assistant'
    | 'note'
    | 'dropped';
  /** The event, such as `queued` or `offer_declined`. */
  readonly what: string;
  readonly cause: string;
  readonly employeeId?: string;
  readonly legId?: string;
  readonly detail?: string;
}

/** A call of hours with many offers stays readable: its beginning and what happened last are kept. */
const ENTRIES_MAX = 300;
const BEGINNING = 100;

export function addEntries(
  timeline: readonly TimelineEntry[],
  added: readonly TimelineEntry[],
): readonly TimelineEntry[] {
  const all = [...timeline, ...added];
  return all.length <= ENTRIES_MAX ? all : [...all.slice(0, BEGINNING), ...all.slice(BEGINNING - ENTRIES_MAX)];
}
