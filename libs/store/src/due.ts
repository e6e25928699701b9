/**
 * When something is to happen, as part of the document it happens to: state and plan are one write, and a restart
 * loses neither. `waitMs` is how long it was meant to wait, so that a clock that goes back leaves nothing stuck.
 */
export interface Due {
  at: Date;
  waitMs: number;
}

/** Plans something `waitMs` from `now`. */
export function dueIn(now: Date, waitMs: number): Due {
  return { at: new Date(now.getTime() + waitMs), waitMs };
}
