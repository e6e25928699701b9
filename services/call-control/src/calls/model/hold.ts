/** The remote party waits, or is being connected again. */
export interface Hold {
  /** The requested state: true while the remote party is to wait. */
  readonly isWanted: boolean;
  /** `parking` and `connecting`: ordered, and not reported by the switch yet. What is wanted then is ordered after the report. */
  readonly status: 'parking' | 'parked' | 'connecting';
}
