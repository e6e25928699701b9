export interface RecordingPause {
  /** The requested state. */
  readonly isPaused: boolean;
  /** True once the switch has confirmed the requested state. */
  readonly isConfirmed: boolean;
  /** True while silence is recorded, as the switch confirmed it last; absent in calls of earlier versions. */
  readonly isMasked?: boolean;
}

/** True when the switch has confirmed that silence is recorded. */
export function isMasked({ isMasked: confirmed, isPaused, isConfirmed }: RecordingPause): boolean {
  return confirmed ?? (isPaused && isConfirmed);
}
