import { type Decision, decided, type Due, dueIn, type Refusal } from '@parley/errors';
import { addEntries, type TimelineEntry } from '../model/timeline.ts';
import {
  type Call,
  type CallEvent,
  type CallEventType,
  type CallState,
  type Leg,
  type Phase,
  isTransitionAllowed,
} from '../model/call.ts';
import { hasAssistantChanged } from '../model/assistant-state.ts';
import {
  type CallCommand,
  type CallTimer,
  type ControlStep,
  type HangupCause,
  withCommand,
} from '../model/call-command.ts';
import type { CallInput } from '../model/call-input.ts';
import { derivedFields, updatedFields } from '../model/derived-fields.ts';
import { createHash } from 'node:crypto';
import type { RecordingFile } from '../../recordings/recording-file.ts';

export type CallDecision = Decision<Call, CallEvent, CallCommand, CallTimer>;

const NEW_CALL_EVENTS: ReadonlySet<CallEventType> = new Set([
  'call-control.call.initiated',
  'call-control.call.outside_business_hours',
]);

/** A call while it is being decided about: collects the new state and what follows from it. */
export class CallDraft {
  readonly now: Date;
  readonly cause: string;
  #call: Call;
  readonly #before: Call;
  readonly #entries: TimelineEntry[] = [];
  readonly #events: CallEvent[] = [];
  #commands: readonly CallCommand[] = [];
  #timers: Partial<Record<CallTimer, Due | null>> = {};

  constructor(call: Call, cause: string, now: Date) {
    this.#call = call;
    this.#before = call;
    this.cause = cause;
    this.now = now;
  }

  get call(): Call {
    return this.#call;
  }

  set(change: Partial<Omit<Call, 'state'>>): void {
    this.#call = { ...this.#call, ...change };
  }

  enter(phase: Phase): void {
    this.set({ phase });
  }

  /** Moves the call to another state; a move that is not allowed is dropped and recorded. */
  move(to: CallState): boolean {
    const { state } = this.#call;
    if (state === to) return true;
    if (!isTransitionAllowed(state, to)) {
      this.note({ type: 'dropped', what: `${state} -> ${to}` });
      return false;
    }
    this.#call = { ...this.#call, state: to };
    this.note({ type: 'state', what: to });
    return true;
  }

  note(entry: Omit<TimelineEntry, 'at' | 'cause'>): void {
    this.#entries.push({ at: this.now, cause: this.cause, ...entry });
  }

  /** The event carries the call as it is now, not as it will be at the end of the decision. */
  emit(type: CallEventType): void {
    this.#events.push({ type, call: this.#derived() });
  }

  #derived(): Call {
    return { ...this.#call, ...derivedFields(this.#call, this.#before) };
  }

  /** Every new call changes at once: its last event says so itself, because every service handles every event. */
  #emitUpdated(): void {
    const last = this.#events.at(-1);
    if (last && NEW_CALL_EVENTS.has(last.type)) this.#events.splice(-1, 1, { ...last, current: this.#derived() });
    else this.emit('call-control.call.updated');
  }

  addCommand(command: CallCommand): void {
    this.#commands = withCommand(this.#commands, command);
  }

  control(...steps: readonly ControlStep[]): void {
    if (steps.length > 0) this.addCommand({ kind: 'control', steps });
  }

  due(timer: CallTimer, waitMs: number): void {
    this.#timers = { ...this.#timers, [timer]: dueIn(this.now, waitMs) };
  }

  cancel(...timers: readonly CallTimer[]): void {
    for (const timer of timers) this.#timers = { ...this.#timers, [timer]: null };
  }

  newId(): string {
    const { seed, idsDerived } = this.#call;
    this.set({ idsDerived: idsDerived + 1 });
    return derivedUuid(seed, idsDerived);
  }

  leg(id: string): Leg | undefined {
    return this.#call.legs.find((leg) => leg.id === id);
  }

  addLeg(leg: Pick<Leg, 'id' | 'employeeId'> & Partial<Leg>): void {
    const added: Leg = { status: 'ordered', parked: false, hangingUp: false, memberId: null, contact: null, ...leg };
    this.set({ legs: [...this.#call.legs, added] });
  }

  changeLeg(id: string, change: Partial<Leg>): void {
    this.set({ legs: this.#call.legs.map((leg) => (leg.id === id ? { ...leg, ...change } : leg)) });
  }

  changeRecording(name: string, change: Partial<RecordingFile>): void {
    const { recordings } = this.#call;
    this.set({ recordings: recordings.map((one) => (one.name === name ? { ...one, ...change } : one)) });
  }

  removeLeg(id: string): void {
    this.set({ legs: this.#call.legs.filter((leg) => leg.id !== id) });
  }

  /** Ends a leg; its end is known when the switch reports it. */
  hangUp(legId: string, cause: HangupCause = 'NORMAL_CLEARING'): void {
    const leg = this.leg(legId);
    if (!leg || leg.hangingUp) return;
    this.changeLeg(legId, { hangingUp: true });
    this.control({ do: 'hang_up', legId, cause });
  }

  /** The decision; `updated` reports changes that no other event reports. */
  decide(): CallDecision {
    const isUntouched = this.#entries.length + this.#commands.length + this.#events.length === 0;
    if (isUntouched && this.#call === this.#before) return decided(this.#before, [], { timers: this.#timers });
    if (this.#entries.length > 0) this.set({ timeline: addEntries(this.#call.timeline, this.#entries) });
    this.set(updatedFields(this.#before, derivedFields(this.#call, this.#before)));
    const published = this.#events.at(-1)?.call ?? this.#before;
    const { state, employees, callback } = this.#call;
    if (
      state !== published.state ||
      employees !== published.employees ||
      callback !== published.callback ||
      hasAssistantChanged(published, this.#call)
    )
      this.#emitUpdated();
    return decided(this.#call, this.#events, { commands: this.#commands, timers: this.#timers });
  }
}

/** A draft whose decision may imply further inputs, such as the end of a leg that the switch does not have. */
export interface InputDraft extends CallDraft {
  apply(input: CallInput): Refusal | undefined;
}

/** A uuid derived from a random seed: deciding stays pure, and FreeSWITCH takes ids of 36 characters at most. */
function derivedUuid(seed: string, index: number): string {
  const hex = createHash('sha256').update(`${seed}/${index}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
