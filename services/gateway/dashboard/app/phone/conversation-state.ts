import type { Call, CallTimelineEntry } from '../api/schema.d.ts';

export interface ConversationState {
  /** The other side waits. */
  readonly isHeld: boolean;
  readonly isRecorded: boolean;
  /** Nothing of what is said is recorded. It is said only once the server has confirmed it. */
  readonly isPaused: boolean;
}

/** Derives the state of the conversation from a call and its timeline; undefined fields are not known yet. */
export function conversationState(
  call: Pick<Call, 'on_hold' | 'recording_paused'> | undefined,
  entries: readonly Pick<CallTimelineEntry, 'type' | 'what'>[] | undefined,
): ConversationState {
  const recording = entries?.findLast(
    ({ type, what }) => type === 'recording' && (what === 'recording_ordered' || what === 'recording_stopped'),
  );
  return {
    isHeld: call?.on_hold ?? false,
    isRecorded: recording?.what === 'recording_ordered',
    isPaused: call?.recording_paused ?? false,
  };
}
