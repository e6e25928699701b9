import type { CallCommand, CallTimer, ControlStep } from '../src/calls/model/call-command.ts';
import type { CallInput } from '../src/calls/model/call-input.ts';
import { ada, bob, cyd, inConversation } from './test-call.ts';
import { offersOf } from '../src/calls/model/derived-fields.ts';
import { isOpen, type TransferState } from '../src/calls/model/transfer.ts';

const MOBILE = '+4540506070';

/** Every row of the specification's table, and that of blind transfers. */
const MOVES: Record<TransferState | 'none', readonly string[]> = {
  none: ['ringing'],
  ringing: ['consulting', 'completed', 'cancelled', 'failed'],
  consulting: ['completed', 'cancelled', 'failed'],
  completed: [],
  cancelled: [],
  failed: [],
};

/**
 * A conversation with a switch that executes commands and reports events in any interleaving, each
 * leg's reports in their order; people press, decline and hang up in between.
 */
export class Interleaving {
  readonly test = inConversation();
  readonly states = new Map<string, TransferState>();
  readonly reports = new Map<string, CallInput[]>();
  readonly alive = new Set<string>(['leg-customer', this.test.adaLeg]);
  /** Legs that wait for us once they are answered. */
  readonly #parking = new Set<string>();
  /** Decides what the last choice leaves open. */
  #details = 0;
  #executed = this.test.commands.length;
  #transfers = 0;
  #members = 0;
  #returned = 0;
  /** The switch refuses to hold and to pause. */
  #refuses = false;
  /** The bridged legs on the switch, whether the customer hears audio, and whether the recording is masked there. */
  #bridged: readonly string[] = ['leg-customer', this.test.adaLeg];
  #hearsAudio = false;
  #isMasked = false;

  /** Applies one of the currently possible inputs, chosen by a number. */
  step(choice: number): void {
    const { test } = this;
    const actors = [ada, bob, cyd];
    const details = Math.floor(choice / 200);
    this.#details = details;
    const coin = details % 2 === 0;
    const oneIn = (count: number) => Math.floor(details / 2) % count === 0;
    const actor = actors[Math.floor(details / 3) % 3]!;
    const target = actors[Math.floor(details / 9) % 3]!;
    const last = test.call.transfers.at(-1)?.id ?? 'tra_none';
    const legs = [...this.alive];
    const leg = legs[details % Math.max(legs.length, 1)];
    const people: (() => void)[] = [
      () =>
        this.#apply({
          type: 'start_transfer',
          transferId: `tra_${++this.#transfers}`,
          actorId: actor.id,
          target: oneIn(3) ? { phoneNumber: '+4531323334', carrier: 0, carriers: 2 } : target,
          isBlind: coin,
          ...(!oneIn(3) && oneIn(2) && { forwardTo: MOBILE }),
        }),
      () => this.#apply({ type: 'complete_transfer', transferId: last, actorId: actor.id }),
      () => this.#apply({ type: 'cancel_transfer', transferId: last, actorId: actor.id }),
      () => this.#apply({ type: 'abandon_transfer', transferId: last }),
      () => this.#apply({ type: 'withdraw_offer', employeeId: target.id }),
      () => this.#apply({ type: 'hold', actorId: actor.id, on: coin }),
      () => this.#apply({ type: 'hold', actorId: ada.id, on: !coin }),
      () => this.#apply({ type: 'hold_for_other_call', actorId: actor.id }),
      () => leg && this.#report(leg, { type: 'digit', legId: leg, digit: '1' }),
      () => test.timers.has('outside_leg') && test.pass(50),
      () => this.#apply({ type: 'pause_recording', actorId: actor.id, paused: coin }),
      () => leg && this.#answer(leg),
      () => leg && oneIn(5) && this.#end(leg),
      () => (this.#refuses = coin),
      () => this.#losePhone(),
      () => this.#returnPhone(actor.id),
      () => this.#apply({ type: 'offer', employee: target }),
      () => this.#apply({ type: 'supervise', supervisor: target, mode: coin ? 'listen' : 'barge' }),
      () => oneIn(3) && this.#apply({ type: 'end_supervision', actorId: target.id }),
      () => test.timers.has('supervision_ring') && this.#timer('supervision_ring'),
      () => oneIn(5) && this.#apply({ type: 'employee_removed', employeeId: target.id }),
      () => oneIn(50) && this.#loseSwitch(),
      () => test.timers.has('transfer_ring') && this.#timer('transfer_ring'),
      () => test.timers.has('employee_ring') && this.#timer('employee_ring'),
      () => test.timers.has('bridge_overdue') && this.#timer('bridge_overdue'),
      () => oneIn(5) && test.timers.has('phone_return') && this.#timer('phone_return'),
    ];
    const doings = [
      ...people,
      ...Array.from({ length: 4 }, () => () => leg && this.#answer(leg)),
      ...Array.from({ length: 3 }, () => () => this.#pressKey()),
      ...Array.from({ length: 2 }, () => people[0]!),
      ...Array.from({ length: 12 }, () => () => this.#execute()),
      ...Array.from({ length: 16 }, () => () => this.#deliver(details)),
    ];
    doings[choice % doings.length]!();
    this.check();
  }

  /** Whoever is asked for a key outside the company presses it. */
  #pressKey(): void {
    const asked = this.test.call.legs.find(({ outside, status }) => outside?.until && status === 'answered');
    if (asked) this.#apply({ type: 'digit', legId: asked.id, digit: '1' });
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
    for (const { isBlind } of open)
      if (state !== (isBlind ? 'transferring' : 'answered'))
        throw new Error(`a transfer is open while the call is ${state}`);
    this.#checkOwner();
  }

  /** Somebody or something is always responsible for the customer, and something ends each wait. */
  #checkOwner(): void {
    const { phase, transfers, state, legs, supervision } = this.test.call;
    const { timers } = this.test;
    if (state === 'ended' && [...timers.keys()].some((name) => name !== 'voicemail_audio'))
      throw new Error('a timer of a call that has ended');
    if (timers.has('transfer_ring') && !transfers.some(isOpen)) throw new Error('a timer of no transfer');
    if (phase.kind === 'blind_transfer' && (!transfers.some(isOpen) || !timers.has('transfer_ring')))
      throw new Error('passed on to nobody');
    if (timers.has('supervision_ring') !== (supervision?.hasAnswered === false))
      throw new Error('the supervisor is rung without an end, or an end without a ring');
    if (supervision && phase.kind !== 'talking') throw new Error(`supervised in ${phase.kind}`);
    if (timers.has('employee_ring') !== (phase.kind === 'returning' && phase.offer !== null))
      throw new Error('the controller is rung without an end, or an end without a ring');
    const isAwaited = legs.some(({ outside, hangingUp }) => outside?.until && !hangingUp);
    if (state !== 'ended' && timers.has('outside_leg') !== isAwaited)
      throw new Error('a phone outside is rung without an end, or an end without a ring');
    const named = [
      ...transfers.filter(isOpen).flatMap(({ targetLegIds }) => targetLegIds),
      ...offersOf(phase).flatMap(({ legIds }) => legIds),
      ...(supervision?.legIds ?? []),
      ...('legId' in phase ? [phase.legId] : []),
      this.test.call.customerLegId,
    ];
    if (legs.some(({ id, hangingUp }) => !hangingUp && !named.includes(id))) throw new Error('a leg of nobody');
  }

  /** Legs that exist although no participant uses them. */
  strays(): string[] {
    const { phase, customerLegId, transfers, state, supervision } = this.test.call;
    const target = transfers.find(isOpen)?.targetLegIds ?? [];
    const talking = 'legId' in phase ? [phase.legId] : [];
    const offered = offersOf(phase).flatMap(({ legIds }) => legIds);
    const supervising = supervision?.legIds ?? [];
    const wanted = state === 'ended' ? [] : [customerLegId, ...talking, ...target, ...offered, ...supervising];
    return [...this.alive].filter((legId) => !wanted.includes(legId));
  }

  /** The difference between the call and the switch once everything was executed and reported. */
  difference(): string | undefined {
    const { phase, hold, customerLegId, transfers, state, recordingPause, supervision } = this.test.call;
    if (state === 'ended' || phase.kind === 'hanging_up') return this.alive.size > 0 ? 'a leg is left' : undefined;
    const isParked = (legId: string | undefined) =>
      this.test.call.legs.some(({ id, parked }) => id === legId && parked);
    const isWith = (legId: string) => [customerLegId, legId].every((id) => this.#bridged.includes(id));
    if (phase.kind === 'outside') return isWith(phase.legId) ? undefined : 'not connected with the phone outside';
    // A phone that has answered waits there for the customer, and both for each other's report.
    if (phase.kind !== 'talking') return this.#hearsAudio ? undefined : `a customer in ${phase.kind} hears nothing`;
    if (this.#isMasked !== (recordingPause?.isPaused ?? false)) return 'the recording is paused on one side only';
    if (transfers.some(isOpen)) return hold ? 'a transfer is open and the call is on hold' : undefined;
    if (!this.alive.has(phase.legId)) {
      if (!this.test.timers.has('phone_return')) return 'a phone is missing, and nothing ends the wait for it';
      return this.#hearsAudio || !isParked(customerLegId)
        ? undefined
        : 'a phone is missing, and the customer hears nothing';
    }
    const isConnected = isWith(phase.legId);
    if (
      supervision?.hasAnswered &&
      !hold &&
      supervision.watchedLegId !== phase.legId &&
      isParked(supervision.legIds[0])
    )
      return 'the supervisor does not hear the conversation';
    if (hold?.isWanted)
      return isConnected || !this.#hearsAudio ? 'on hold, but connected or without wait audio' : undefined;
    return hold || !isConnected ? 'not on hold, and not connected' : undefined;
  }

  #apply(input: CallInput): void {
    this.test.apply(input);
  }

  /** The switch has ended, with all its calls. */
  #loseSwitch(): void {
    this.#apply({ type: 'switch_restarted' });
    this.alive.clear();
    this.reports.clear();
  }

  #timer(name: CallTimer): void {
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

  /** A phone that is rung for a conference joins it; any other waits for us. */
  #answer(legId: string): void {
    this.#report(legId, { type: 'leg_answered', legId });
    if (this.#parking.delete(legId)) this.#parked(legId);
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
      const wanted = command.legIds.filter((legId) =>
        this.test.call.legs.some(({ id, hangingUp }) => id === legId && !hangingUp),
      );
      const rung = wanted.slice(0, 2);
      for (const legId of rung) this.#create(legId, command.room);
      return this.#apply({ type: 'settled', command, result: { kind: 'ring', rung } });
    }
    if (command.kind === 'dial') {
      const isRefused = this.test.call.legs.every(({ id, hangingUp }) => id !== command.legId || hangingUp);
      if (!isRefused) this.#create(command.legId, command.room ?? null);
      return this.#apply({
        type: 'settled',
        command,
        result: { kind: 'dial', refused: isRefused ? 'ORIGINATOR_CANCEL' : null },
      });
    }
    if (command.kind === 'claim_employee') {
      const isClaimed = this.#details % 2 === 0;
      const forwarded = this.#details % 4 === 0 ? { forwardTo: MOBILE } : {};
      return this.#apply({ type: 'settled', command, result: { kind: 'claim_employee', isClaimed, ...forwarded } });
    }
    if (command.kind !== 'control') return this.#apply({ type: 'settled', command, result: { kind: 'done' } });
    const failures = command.steps.flatMap((step, index) =>
      this.#refuses && this.test.call.phase.kind === 'talking' && (step.do === 'park' || step.do === 'mask_recording')
        ? [{ step: index, reason: '-ERR', noSuchLeg: false }]
        : this.#doStep(step)
          ? []
          : [{ step: index, reason: '-ERR No such channel!', noSuchLeg: true }],
    );
    this.#apply({ type: 'settled', command, result: { kind: 'control', failures } });
  }

  #create(legId: string, room: string | null): void {
    this.alive.add(legId);
    if (room === null) this.#parking.add(legId);
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
        if (step.legId === 'leg-customer') this.#hearsAudio = !this.#bridged.includes(step.legId);
        return true;
      case 'stop_audio':
        if (step.legId === 'leg-customer') this.#hearsAudio = false;
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
