import type { Refusal } from './refusal.ts';

/** What a pure decision answers: the new state with the facts that follow from it, or a refusal. */
export type Decision<State, Event> =
  | { readonly ok: true; readonly state: State; readonly events: readonly Event[] }
  | { readonly ok: false; readonly refusal: Refusal };

/** A decision for a new state and the facts that follow. */
export function decided<State, Event>(state: State, events: readonly Event[] = []): Decision<State, Event> {
  return { ok: true, state, events };
}

/** A decision against. */
export function refused(why: Refusal): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal: why };
}
