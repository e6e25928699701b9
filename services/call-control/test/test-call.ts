import type { Call, CallEvent, CallNumber } from '../src/calls/model/call.ts';
import type { CallCommand, CallTimer, CommandResult, ControlStep } from '../src/calls/model/call-command.ts';
import type { CallDecision } from '../src/calls/decide/call-draft.ts';
import type { CallFlow, NoAnswerPlan } from '../src/calls/model/call-flow.ts';
import type { CallInput } from '../src/calls/model/call-input.ts';
import type { LegSnapshot } from '../src/calls/model/leg-event.ts';
import { decideCall } from '../src/calls/decide/decide-call.ts';
import { createInboundCall, createOutboundCall, createRequestedCall } from '../src/calls/decide/new-call.ts';

export const ada = { id: 'emp_ada', name: 'Ada' };
export const bob = { id: 'emp_bob', name: 'Bob' };
export const cyd = { id: 'emp_cyd', name: 'Cyd' };
export const prompt = (name: string) => ({ contentHash: name, durationMs: 2000 });

/** A call in a test: applies inputs, records decisions, moves the clock. */
export class TestCall {
  call: Call;
  now = new Date('2026-03-02T10:00:00Z');
  readonly events: CallEvent[] = [];
  /** Everything ordered so far, oldest first. */
  readonly commands: CallCommand[] = [];
  readonly timers = new Map<CallTimer, Date>();

  constructor(decision: CallDecision) {
    if (!decision.ok) throw new Error(decision.refusal.code);
    this.call = decision.state;
    this.#keep(decision);
  }

  apply(input: CallInput): string | undefined {
    const decision = decideCall(this.call, input, this.now);
    if (!decision.ok) return decision.refusal.code;
    this.call = decision.state;
    this.#keep(decision);
    return undefined;
  }

  #keep(decision: Extract<CallDecision, { ok: true }>): void {
    this.events.push(...decision.events);
    this.commands.push(...decision.commands);
    for (const [name, due] of Object.entries(decision.timers) as [CallTimer, { at: Date } | null][])
      if (due) this.timers.set(name, due.at);
      else this.timers.delete(name);
  }

  /** Moves the clock and fires what came due, oldest first. */
  pass(seconds: number): void {
    const until = new Date(this.now.getTime() + seconds * 1000);
    for (;;) {
      const next = [...this.timers].filter(([, at]) => at <= until).toSorted(([, a], [, b]) => +a - +b)[0];
      if (!next) break;
      this.timers.delete(next[0]);
      this.now = next[1] > this.now ? next[1] : this.now;
      this.apply({ type: 'timer', name: next[0] });
    }
    this.now = until;
  }

  settle(command: CallCommand, result: CommandResult): void {
    this.apply({ type: 'settled', command, result });
  }

  /** The playback that the phase waits for has ended. */
  finishPlayback(): void {
    const { phase, customerLegId: legId } = this.call;
    if (!('playId' in phase) || phase.playId === null) throw new Error(`nothing plays in ${phase.kind}`);
    this.apply({ type: 'playback_finished', legId, playId: phase.playId, played: true });
  }

  /** Rings an employee who has one phone; answers its leg. */
  ring(employee: { id: string; name: string }): string {
    this.apply({ type: 'offer', employee });
    return this.ringPhone(employee.id);
  }

  /** The last ring order to an employee reaches one phone. */
  ringPhone(employeeId: string): string {
    const order = this.commands.findLast((command) => command.kind === 'ring' && command.employeeId === employeeId);
    if (order?.kind !== 'ring') throw new Error(`${employeeId} is not rung`);
    this.settle(order, { kind: 'ring', rung: order.legIds.slice(0, 1) });
    return order.legIds[0]!;
  }

  answer(legId: string): void {
    this.apply({ type: 'leg_answered', legId });
    this.apply({ type: 'leg_parked', legId, arrival: null });
  }

  bridged(peerId: string): void {
    this.apply({ type: 'leg_bridged', legId: this.call.customerLegId, peerId });
  }

  hangUp(legId = this.call.customerLegId, cause = 'NORMAL_CLEARING'): void {
    this.apply({ type: 'leg_ended', legId, cause });
  }

  /** The switch is asked about every leg, and has these. */
  reconcile(legs: readonly LegSnapshot[]): void {
    const gone = this.call.legIds.filter((id) => !legs.some(({ legId }) => legId === id));
    this.apply({ type: 'reconciled', legs, gone });
  }

  /** The commands to the switch since the last call, in order. */
  steps(): ControlStep[] {
    const all = this.commands.flatMap((command) => (command.kind === 'control' ? command.steps : []));
    return all.slice(this.#stepsSeen, (this.#stepsSeen = all.length));
  }
  #stepsSeen = 0;

  /** Event types without their prefix. */
  get eventTypes(): string[] {
    return this.events.map(({ type }) => type.replace('call-control.call.', '')).filter((type) => type !== 'updated');
  }

  get what(): string[] {
    return this.call.timeline.map(({ what }) => what);
  }
}

const base = {
  id: 'cal_1',
  companyId: 'com_1',
  seed: 'seed',
  switch: { name: 'one', coreUuid: 'core-1' },
  number: {
    id: 'num_1',
    name: 'Sales',
    number: '+4570101010',
    formatted: '+45 70 10 10 10',
    recordingEnabled: true,
    waitAudio: 'ringtone',
  },
} as const;

export function inbound(
  flow: CallFlow,
  more: {
    noAnswer?: NoAnswerPlan;
    outside?: boolean;
    looksUpCaller?: boolean;
    recording?: boolean;
    ringStrategy?: CallNumber['ringStrategy'];
    recordingAnnouncement?: CallNumber['recordingAnnouncement'];
    positionPrompts?: CallNumber['positionPrompts'];
    callbackPrompt?: CallNumber['callbackPrompt'];
  } = {},
) {
  const { noAnswer = null, outside = false, recording = true, ringStrategy, recordingAnnouncement } = more;
  const { positionPrompts, callbackPrompt, looksUpCaller = true } = more;
  const now = new Date('2026-03-02T10:00:00Z');
  const call = { ...base, from: '+4520304050', to: '+4570101010', legId: 'leg-customer' };
  const number = {
    ...base.number,
    recordingEnabled: recording,
    ...(ringStrategy && { ringStrategy }),
    ...(recordingAnnouncement && { recordingAnnouncement }),
    ...(positionPrompts && { positionPrompts }),
    ...(callbackPrompt && { callbackPrompt }),
  };
  const route = { flow, noAnswer, withinBusinessHours: !outside };
  return new TestCall(createInboundCall({ ...call, ...route, number, looksUpCaller }, now));
}

export function outbound(carriers = 1, emergency?: Call['emergency'], more: Partial<CallNumber> = {}) {
  const now = new Date('2026-03-02T10:00:00Z');
  const number = { ...base.number, ...more };
  const call = { ...base, number, from: '+4570101010', to: '+4520304050', legId: 'leg-ada' };
  return new TestCall(createOutboundCall({ ...call, employee: ada, carriers, ...(emergency && { emergency }) }, now));
}

/** A call that Ada requested: her phones ring first. */
export function requested(carriers = 1, emergency?: Call['emergency']) {
  const now = new Date('2026-03-02T10:00:00Z');
  const call = { ...base, from: '+4570101010', to: '+4520304050' };
  return new TestCall(createRequestedCall({ ...call, employee: ada, carriers, ...(emergency && { emergency }) }, now));
}

export const transfer = (...employees: { id: string }[]): CallFlow => ({
  type: 'transfer',
  prompt: null,
  employeeIds: employees.map(({ id }) => id),
});

/** An inbound call in conversation with Ada. */
export function inConversation(): TestCall & { adaLeg: string } {
  const test = inbound(transfer(ada, bob));
  const adaLeg = test.ring(ada);
  test.answer(adaLeg);
  test.bridged(adaLeg);
  test.steps();
  return Object.assign(test, { adaLeg });
}

export const voicemail = { type: 'voicemail', prompt: prompt('greeting') } as const satisfies CallFlow;
export const rejection = { type: 'message', prompt: prompt('sorry') } as const satisfies CallFlow;

/** A parked leg on the switch. */
export const atSwitch = (legId: string) => ({
  legId,
  isAnswered: false,
  application: 'park',
  applicationData: '',
  memberId: null,
});
