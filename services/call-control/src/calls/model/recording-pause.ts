/** Whether the recording of the conversation is paused. */
export interface RecordingPause {
  readonly isPaused: boolean;
  /** Whether the switch has confirmed it. */
  readonly isConfirmed: boolean;
}
