import type { Refusal } from './refusal.ts';

/** When something is due. `waitMs` is the intended wait, so that moving the clock back leaves nothing stuck. */
export interface Due {
  at: Date;
  waitMs: number;
}

/** Due `waitMs` after `now`. */
export function dueIn(now: Date, waitMs: number): Due {
  return { at: new Date(now.getTime() + waitMs), waitMs };
}

/** Named timers to set; null cancels one, one that is not named stays as it is. */
export type TimerChanges<Timer extends string> = Readonly<Partial<Record<Timer, Due | null>>>;

/** The consequences of a new state: events for other services, commands to execute, timers to set. */
export interface Effects<Event = never, Command = never, Timer extends string = never> {
  readonly events: readonly Event[];
  readonly commands: readonly Command[];
  readonly timers: TimerChanges<Timer>;
}

/** A new state with its effects, or a refusal. */
export type DecisionWith<State, SomeEffects> =
  | ({ readonly ok: true; readonly state: State } & SomeEffects)
  | { readonly ok: false; readonly refusal: Refusal };

/** The result of a pure decision function: a new state with its effects, or a refusal. */
export type Decision<State, Event = never, Command = never, Timer extends string = never> = DecisionWith<
  State,
  Effects<Event, Command, Timer>
>;

/** A decision for a new state and what follows from it. */
export function decided<State, Event = never, Command = never, Timer extends string = never>(
  state: State,
  events: readonly Event[] = [],
  { commands = [], timers }: { commands?: readonly Command[]; timers?: TimerChanges<Timer> } = {},
): Decision<State, Event, Command, Timer> {
  return { ok: true, state, events, commands, timers: timers ?? ({} as TimerChanges<Timer>) };
}

/** A decision that refuses. */
export function refused(why: Refusal): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal: why };
}
