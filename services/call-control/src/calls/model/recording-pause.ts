/** Whether the recording of the conversation is paused. */
export interface RecordingPause {
  /** Whether it is to be paused. */
  readonly isPaused: boolean;
  /** Whether the switch has confirmed that. */
  readonly isConfirmed: boolean;
  /** Whether silence is recorded, as the switch confirmed it last; absent in calls of earlier versions. */
  readonly isMasked?: boolean;
}

/** Whether the switch has confirmed that silence is recorded. */
export function isMasked({ isMasked: confirmed, isPaused, isConfirmed }: RecordingPause): boolean {
  return confirmed ?? (isPaused && isConfirmed);
}
