import type { CallTimelineEntry } from '../api/schema.d.ts';

type Entry = Pick<CallTimelineEntry, 'type' | 'what'>;

export interface ConversationState {
  /** The other side waits. */
  readonly isHeld: boolean;
  readonly isRecorded: boolean;
  /** Nothing of what is said is recorded. It is said only once the server has confirmed it. */
  readonly isPaused: boolean;
}

/** What the timeline of a call says about its conversation now. */
export function conversationState(entries: readonly Entry[]): ConversationState {
  const last = (type: string, whats: readonly string[]) =>
    entries.findLast((entry) => entry.type === type && whats.includes(entry.what))?.what;
  return {
    isHeld: last('hold', ['held', 'resumed']) === 'held',
    isRecorded: last('recording', ['recording_ordered', 'recording_stopped']) === 'recording_ordered',
    isPaused: last('recording', ['recording_paused', 'recording_resumed']) === 'recording_paused',
  };
}
