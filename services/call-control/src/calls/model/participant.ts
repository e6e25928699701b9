/** An employee as calls show one. */
export interface Participant {
  readonly id: string;
  readonly name: string;
}
