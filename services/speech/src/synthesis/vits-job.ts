/** A piece of text for a neural voice. */
export interface VitsJob {
  readonly text: string;
  /** Of the samples. */
  readonly wantedRate: number;
}
