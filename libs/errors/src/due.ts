/** When something is to happen. `waitMs` is how long it was meant to wait, so that a clock that goes back leaves nothing stuck. */
export interface Due {
  at: Date;
  waitMs: number;
}

/** Due `waitMs` after `now`. */
export function dueIn(now: Date, waitMs: number): Due {
  return { at: new Date(now.getTime() + waitMs), waitMs };
}
