import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CallCommand, ControlStep } from '../model/call-command.ts';
import type { CallInput } from '../model/call-input.ts';
import { ada, bob, cyd, inConversation } from './test-call.ts';
import { isOpen, type TransferState } from '../model/transfer.ts';

/** Every row of the specification's table, and nothing else. */
const MOVES: Record<TransferState | 'none', readonly string[]> = {
  none: ['ringing'],
  ringing: ['consulting', 'cancelled', 'failed'],
  consulting: ['completed', 'cancelled', 'failed'],
  completed: [],
  cancelled: [],
  failed: [],
};

/**
 * A conversation with a switch that executes commands and reports events in any interleaving, each
 * leg's reports in their order; people press, decline and hang up in between.
 */
class Interleaving {
  readonly test = inConversation();
  readonly states = new Map<string, TransferState>();
  readonly reports = new Map<string, CallInput[]>();
  readonly alive = new Set<string>(['leg-customer', this.test.adaLeg]);
  #executed = this.test.commands.length;
  #transfers = 0;
  #members = 0;
  #returned = 0;
  /** Whether the switch refuses to hold and to pause. */
  #refuses = false;
  /** What is connected on the switch, what the customer hears, and whether the recording is masked there. */
  #bridged: readonly string[] = ['leg-customer', this.test.adaLeg];
  #hearsAudio = false;
  #isMasked = false;

  /** What can happen now, by a number. */
  step(choice: number): void {
    const { test } = this;
    const actors = [ada, bob, cyd];
    const actor = actors[choice % 3]!;
    const target = actors[(choice >> 2) % 3]!;
    const last = test.call.transfers.at(-1)?.id ?? 'tra_none';
    const legs = [...this.alive];
    const leg = legs[choice % Math.max(legs.length, 1)];
    const people: (() => void)[] = [
      () =>
        this.#apply({
          type: 'start_transfer',
          transferId: `tra_${++this.#transfers}`,

          actorId: actor.id,
          target,
        }),
      () => this.#apply({ type: 'complete_transfer', transferId: last, actorId: actor.id }),
      () => this.#apply({ type: 'cancel_transfer', transferId: last, actorId: actor.id }),
      () => this.#apply({ type: 'abandon_transfer', transferId: last }),
      () => this.#apply({ type: 'withdraw_offer', employeeId: target.id }),
      () => this.#apply({ type: 'hold', actorId: actor.id, on: choice % 2 === 0 }),
      () => this.#apply({ type: 'hold', actorId: ada.id, on: choice % 2 === 1 }),
      () => this.#apply({ type: 'pause_recording', actorId: actor.id, paused: choice % 2 === 0 }),
      () => leg && this.#report(leg, { type: 'leg_answered', legId: leg }),
      () => leg && choice % 5 === 0 && this.#end(leg),
      () => (this.#refuses = choice % 2 === 0),
      () => this.#losePhone(),
      () => this.#returnPhone(actor.id),
      () => test.timers.has('transfer_ring') && this.#timer('transfer_ring'),
      () => test.timers.has('bridge_overdue') && this.#timer('bridge_overdue'),
      () => choice % 5 === 0 && test.timers.has('phone_return') && this.#timer('phone_return'),
    ];
    const doings = [
      ...people,
      ...Array.from({ length: 6 }, () => () => this.#execute()),
      ...Array.from({ length: 8 }, () => () => this.#deliver(choice)),
    ];
    doings[choice % doings.length]!();
    this.check();
  }

  /** Finishes everything in progress. */
  settle(): void {
    for (let i = 0; i < 500 && (this.#execute() || this.#deliver(0)); i++) this.check();
  }

  check(): void {
    const { transfers, state } = this.test.call;
    const open = transfers.filter(isOpen);
    if (open.length > 1) throw new Error('two open transfers');
    for (const { id, state: now } of transfers) {
      const before = this.states.get(id);
      if (before === now) continue;
      if (!MOVES[before ?? 'none'].includes(now)) throw new Error(`${before} -> ${now}`);
      this.states.set(id, now);
    }
    if (open.length > 0 && state !== 'answered') throw new Error(`a transfer is open while the call is ${state}`);
  }

  /** Legs that exist although no participant uses them. */
  strays(): string[] {
    const { phase, customerLegId, transfers, state } = this.test.call;
    const target = transfers.find(isOpen)?.targetLegIds ?? [];
    const talking = phase.kind === 'talking' ? [phase.legId] : [];
    const wanted = state === 'ended' ? [] : [customerLegId, ...talking, ...target];
    return [...this.alive].filter((legId) => !wanted.includes(legId));
  }

  /** What differs between the call and the switch once everything was executed and reported. */
  difference(): string | undefined {
    const { phase, hold, customerLegId, transfers, state, recordingPause } = this.test.call;
    if (state === 'ended' || phase.kind !== 'talking') return this.alive.size > 0 ? 'a leg is left' : undefined;
    if (this.#isMasked !== (recordingPause?.isPaused ?? false)) return 'the recording is paused on one side only';
    if (transfers.some(isOpen)) return hold ? 'a transfer is open and the call is on hold' : undefined;
    if (!this.alive.has(phase.legId)) {
      if (!this.test.timers.has('phone_return')) return 'a phone is missing, and nothing ends the wait for it';
      const isParked = this.test.call.legs.some(({ id, parked }) => id === customerLegId && parked);
      return this.#hearsAudio || !isParked ? undefined : 'a phone is missing, and the customer hears nothing';
    }
    const isConnected = [customerLegId, phase.legId].every((legId) => this.#bridged.includes(legId));
    if (hold?.isWanted)
      return isConnected || !this.#hearsAudio ? 'on hold, but connected or without wait audio' : undefined;
    return hold || !isConnected ? 'not on hold, and not connected' : undefined;
  }

  #apply(input: CallInput): void {
    this.test.apply(input);
  }

  #timer(name: 'transfer_ring' | 'bridge_overdue' | 'phone_return'): void {
    this.test.timers.delete(name);
    this.#apply({ type: 'timer', name });
  }

  #report(legId: string, input: CallInput): void {
    this.reports.set(legId, [...(this.reports.get(legId) ?? []), input]);
  }

  /** The phone in conversation loses its connection. */
  #losePhone(): void {
    const { phase } = this.test.call;
    if (phase.kind === 'talking') this.#end(phase.legId, 'MEDIA_TIMEOUT');
  }

  /** An employee's phone registers again and calls; the leg before may still exist. What is not taken hangs up. */
  #returnPhone(employeeId: string): void {
    const legId = `leg-returned-${++this.#returned}`;
    this.#apply({ type: 'phone_returned', legId, employeeId });
    if (this.test.call.legIds.includes(legId)) this.alive.add(legId);
  }

  #end(legId: string, cause = 'NORMAL_CLEARING'): void {
    if (!this.alive.delete(legId)) return;
    this.#report(legId, { type: 'leg_ended', legId, cause });
    if (this.#bridged.includes(legId)) this.#park(this.#bridged);
  }

  /** Every leg has `park_after_bridge`. */
  #park(legIds: readonly string[]): void {
    this.#bridged = this.#bridged.filter((legId) => !legIds.includes(legId));
    for (const legId of legIds) if (this.alive.has(legId)) this.#parked(legId);
  }

  #parked(legId: string): void {
    if (legId === 'leg-customer') this.#hearsAudio = false;
    this.#report(legId, { type: 'leg_parked', legId, arrival: null });
  }

  /** A leg and the one that it is bridged with, which are bridged no longer. */
  #taken(legId: string): readonly string[] {
    const taken = this.#bridged.includes(legId) ? this.#bridged : [legId];
    if (taken.length > 1) this.#bridged = [];
    if (taken.includes('leg-customer')) this.#hearsAudio = false;
    return taken;
  }

  #execute(): boolean {
    const command = this.test.commands[this.#executed];
    if (!command) return false;
    this.#executed += 1;
    this.#do(command);
    return true;
  }

  #do(command: CallCommand): void {
    if (command.kind === 'ring') {
      const rung = command.legIds.slice(0, 2);
      for (const legId of rung) this.alive.add(legId);
      return this.#apply({ type: 'settled', command, result: { kind: 'ring', rung } });
    }
    if (command.kind !== 'control') return this.#apply({ type: 'settled', command, result: { kind: 'done' } });
    const failures = command.steps.flatMap((step, index) =>
      this.#refuses && (step.do === 'park' || step.do === 'mask_recording')
        ? [{ step: index, reason: '-ERR', noSuchLeg: false }]
        : this.#doStep(step)
          ? []
          : [{ step: index, reason: '-ERR No such channel!', noSuchLeg: true }],
    );
    this.#apply({ type: 'settled', command, result: { kind: 'control', failures } });
  }

  #doStep(step: ControlStep): boolean {
    if ('legId' in step && !this.alive.has(step.legId)) return false;
    switch (step.do) {
      case 'hang_up':
        this.#end(step.legId);
        return true;
      case 'bridge':
        if (!this.alive.has(step.peerId)) return false;
        this.#park(this.#bridged.filter((legId) => legId !== step.legId && legId !== step.peerId));
        this.#bridged = [step.legId, step.peerId];
        this.#hearsAudio = false;
        this.#report(step.legId, { type: 'leg_bridged', legId: step.legId, peerId: step.peerId });
        return true;
      case 'park':
        this.#park(this.#taken(step.legId));
        return true;
      case 'play':
        // Audio is played to a leg that is parked.
        this.#hearsAudio = step.legId === 'leg-customer' && !this.#bridged.includes(step.legId);
        return true;
      case 'stop_audio':
        this.#hearsAudio = false;
        return true;
      case 'mask_recording':
        this.#isMasked = step.isMasked;
        return true;
      case 'join_conference':
        for (const legId of this.#taken(step.legId))
          this.#report(legId, { type: 'conference_joined', legId, room: step.room, memberId: String(++this.#members) });
        return true;
      default:
        return true;
    }
  }

  #deliver(choice: number): boolean {
    const waiting = [...this.reports].filter(([, reports]) => reports.length > 0);
    const chosen = waiting[choice % Math.max(waiting.length, 1)];
    if (!chosen) return false;
    const [legId, [report, ...rest]] = chosen;
    this.reports.set(legId, rest);
    this.#apply(report!);
    return true;
  }
}

describe('fifty thousand interleavings of commands, reports and hang-ups', () => {
  it('leave every transfer with one outcome, never two open, no state outside the table, and the call as the switch has it', () => {
    const reached = new Set<string>();
    fc.assert(
      fc.property(fc.array(fc.nat(100_000), { minLength: 5, maxLength: 40 }), (choices) => {
        const run = new Interleaving();
        for (const choice of choices) run.step(choice);
        run.settle();
        for (const [, state] of run.states) reached.add(state);
        if (run.strays().length > 0) throw new Error('a leg was left behind');
        const difference = run.difference();
        if (difference !== undefined) throw new Error(difference);
      }),
      { numRuns: 50_000 },
    );
    expect([...reached].toSorted()).toEqual(['cancelled', 'completed', 'consulting', 'failed', 'ringing']);
  }, 300_000);
});
