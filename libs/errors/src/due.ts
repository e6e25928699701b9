/** When something is due. `waitMs` is the intended wait, so that moving the clock back leaves nothing stuck. */
export interface Due {
  at: Date;
  waitMs: number;
}

/** Due `waitMs` after `now`. */
export function dueIn(now: Date, waitMs: number): Due {
  return { at: new Date(now.getTime() + waitMs), waitMs };
}
