import type { CallCommand, ControlStep } from '../src/calls/model/call-command.ts';
import type { SessionUpdate } from '../src/calls/model/call-assistant.ts';
import type { CallInput } from '../src/calls/model/call-input.ts';
import type { StepFlow } from '../src/calls/model/call-flow.ts';
import { offersOf } from '../src/calls/model/derived-fields.ts';
import type { LegSnapshot } from '../src/calls/model/leg-event.ts';
import { isOpen } from '../src/calls/model/transfer.ts';
import { answeredBy, reservation } from './test-assisted-call.ts';
import { ada, bob, cyd, inbound, prompt, type TestCall } from './test-call.ts';

const MOBILE = '+4540506070';
const OUTSIDE = '+4531323334';
const CUSTOMER = 'leg-customer';
const team = [ada, bob, cyd];

/** The inputs after which the caller may be told to leave. */
const ENDINGS: readonly CallInput['type'][] = ['end_assisted_call', 'company_suspended'];

/**
 * A call with an assistant on a switch that executes commands and reports events in any interleaving, each leg's reports in their
 * order; callers, employees, and the processes of the assistant and of call-control do anything in between.
 */
export class AssistedInterleaving {
  readonly test: TestCall;
  readonly alive = new Set<string>([CUSTOMER]);
  /** What the session was told, in order. */
  readonly told: SessionUpdate[] = [];
  readonly reports = new Map<string, CallInput[]>();
  readonly #bridged = new Map<string, string>();
  readonly #hears = new Set<string>();
  readonly #answered = new Set<string>();
  #isMasked = false;
  /** Legs whose reports were missed before it was known that they exist: a timer ends the wait for them. */
  readonly #unreported = new Set<string>();
  /** Every leg that the customer was connected with. */
  readonly #partners = new Set<string>();
  #lastSequence = 0;
  #executed = 0;
  #actions = 0;
  #revision = 0;
  #details = 0;

  constructor(fallback: StepFlow, options: { isAnnounced: boolean; isConnected: boolean }) {
    const recordingAnnouncement = options.isAnnounced ? prompt('recorded') : undefined;
    this.test = inbound(answeredBy(fallback), { ...(recordingAnnouncement && { recordingAnnouncement }) });
    this.#answered.add(CUSTOMER);
    if (options.isConnected) this.#connectAssistant();
  }

  #connectAssistant(): void {
    this.settle();
    for (const legId of this.alive) this.#answer(legId);
    this.#finishAudio(true);
    this.settle();
  }

  /** Applies one of the currently possible inputs, chosen by a number. */
  step(choice: number): void {
    const { test } = this;
    const details = Math.floor(choice / 100);
    this.#details = details;
    const oneIn = (count: number) => Math.floor(details / 2) % count === 0;
    const coin = details % 2 === 0;
    const person = team[Math.floor(details / 3) % 3]!;
    const legs = [...this.alive].filter((legId) => legId !== CUSTOMER);
    const leg = legs[details % Math.max(legs.length, 1)];
    const { phase } = test.call;
    const assistantLeg = phase.kind === 'assisted' ? phase.assistantLegId : null;
    const actionId = oneIn(4) ? `act_${this.#actions}` : `act_${++this.#actions}`;
    const people: (() => void)[] = [
      () => this.#startTransfer(actionId, oneIn(4)),
      () => this.#startTransfer(actionId, false),
      () => this.#startTransfer(actionId, false),
      () => this.#apply({ type: 'finish_whisper', actionId: `act_${this.#actions - Number(oneIn(5))}` }),
      () => oneIn(3) && this.#apply({ type: 'run_fallback', reason: 'requested' }),
      () => oneIn(8) && this.#apply({ type: 'end_assisted_call' }),
      () =>
        oneIn(2) &&
        this.#apply({
          type: 'promise_callback',
          actionId: 'act_call',
          number: coin ? null : OUTSIDE,
          employeeIds: [ada.id],
        }),
      () =>
        this.#apply({
          type: 'session_reported',
          revision: (this.#revision += oneIn(4) ? 0 : 1),
          engine: oneIn(3) ? 'endpoint' : 'embedded',
          outcomeIfLeft: coin ? 'resolved' : 'message_taken',
        }),
      () => this.#startTakeover(person, oneIn(3)),
      () => oneIn(3) && this.#apply({ type: 'cancel_takeover', actorId: person.id }),
      () => this.#apply({ type: 'complete_transfer', transferId: `act_${this.#actions}`, actorId: person.id }),
      () => oneIn(3) && this.#apply({ type: 'withdraw_offer', employeeId: person.id }),
      () => oneIn(6) && this.#apply({ type: 'employee_removed', employeeId: person.id }),
      () => oneIn(40) && this.#apply({ type: 'company_suspended' }),
      () => this.#apply({ type: 'hold', actorId: person.id, on: coin }),
      () => oneIn(2) && phase.kind === 'waiting' && this.#offer(person),
      () => leg && this.#report(leg, { type: 'digit', legId: leg, digit: oneIn(2) ? '2' : '1' }),
      () => this.#report(CUSTOMER, { type: 'digit', legId: CUSTOMER, digit: '0' }),
      () => leg && oneIn(3) && this.#end(leg, coin ? 'CALL_REJECTED' : 'NORMAL_CLEARING'),
      () => oneIn(12) && this.#end(CUSTOMER),
      () => assistantLeg !== null && oneIn(4) && this.#end(assistantLeg, 'MEDIA_TIMEOUT'),
      () => leg && oneIn(6) && this.#end(leg, 'MEDIA_TIMEOUT'),
      () => oneIn(60) && this.#loseSwitch(),
      () => oneIn(4) && this.#missEvents(),
      () => oneIn(3) && test.pass(coin ? 2 : 11),
      () => oneIn(6) && test.pass(31),
    ];
    const doings = [
      ...people,
      ...Array.from({ length: 5 }, () => () => leg && this.#answer(leg)),
      ...Array.from({ length: 3 }, () => () => this.#finishAudio()),
      ...Array.from({ length: 14 }, () => () => this.#execute()),
      ...Array.from({ length: 18 }, () => () => this.#deliver(details)),
    ];
    doings[choice % doings.length]!();
    this.check();
  }

  /** Everything in progress is finished. */
  settle(): void {
    this.#details = 1;
    for (let i = 0; i < 1000 && (this.#execute() || this.#deliver(0)); i++) this.check();
  }

  /** Time passes until nothing more happens by itself; everybody stays, and nobody answers. */
  finish(): void {
    for (let i = 0; i < 40; i++) {
      this.settle();
      this.#finishAudio();
      this.test.pass(6);
      this.check();
    }
    this.#unreported.clear();
  }

  check(): void {
    this.#checkLegs();
    this.#checkTimers();
    this.#checkLeases();
    this.#checkSession();
  }

  #checkLegs(): void {
    const { phase, legs, takeover, customerLegId } = this.test.call;
    const named = new Set([
      customerLegId,
      ...offersOf(phase).flatMap(({ legIds }) => legIds),
      ...(takeover?.legIds ?? []),
      ...('legId' in phase ? [phase.legId] : []),
    ]);
    if (phase.kind === 'assisted') {
      if (phase.assistantLegId !== null) named.add(phase.assistantLegId);
      if ('legId' in phase.stage) named.add(phase.stage.legId);
      if (phase.stage.kind === 'transferring') for (const legId of phase.stage.outsideLegIds) named.add(legId);
    }
    const stray = legs.find(({ id, hangingUp }) => !hangingUp && !named.has(id));
    if (stray) throw new Error(`a leg of nobody in ${phase.kind}`);
    if (takeover && phase.kind !== 'assisted') throw new Error('a takeover without an assistant');
  }

  #checkTimers(): void {
    const { phase, state, legs, takeover } = this.test.call;
    const { timers } = this.test;
    const wrong = (what: string) => {
      throw new Error(`${what} in ${phase.kind}/${phase.kind === 'assisted' ? phase.stage.kind : state}`);
    };
    if (state === 'ended' && [...timers.keys()].some((name) => name !== 'voicemail_audio')) wrong('a timer at the end');
    const isAwaited = legs.some(({ outside, hangingUp }) => outside?.until && !hangingUp);
    if (state !== 'ended' && timers.has('outside_leg') !== isAwaited) wrong('a phone outside without its timer');
    if (timers.has('takeover_ring') !== !!takeover) wrong('a takeover without its timer');
    const stage = phase.kind === 'assisted' ? phase.stage.kind : null;
    if (timers.has('whisper') !== (stage === 'whispering')) wrong('a whisper without its timer');
    const isEnding = legs.some(({ hangingUp }) => hangingUp);
    if (stage === 'transferring' && !timers.has('transfer_ring') && !isAwaited && !isEnding) wrong('rings for ever');
    if (stage !== 'transferring' && stage !== null && timers.has('transfer_ring')) wrong('nobody rings');
    if (phase.kind !== 'assisted') {
      for (const name of ['assistant_connect', 'assistant_length'] as const)
        if (timers.has(name)) wrong(`a timer ${name}`);
    } else if ((stage === 'talking' && phase.link !== 'bridged') || stage === 'handing_over' || stage === 'leaving') {
      if (!timers.has('assistant_connect')) wrong('nothing ends the wait');
    } else if (stage === 'talking' && timers.has('assistant_connect')) wrong('nothing is waited for');
  }

  /** Whoever was claimed is released once, and whoever is in a conversation has left all others. */
  #checkLeases(): void {
    const { offeredTo, activeFor, timeline } = this.test.call;
    if (timeline.length > 250) return;
    const count = (kind: string, id: string) =>
      this.test.commands.filter(
        (command) => command.kind === kind && 'employeeId' in command && command.employeeId === id,
      ).length;
    for (const { id } of team) {
      const claimed = timeline.filter(
        ({ what, employeeId }) => ['offer_made', 'takeover_requested'].includes(what) && employeeId === id,
      ).length;
      const offers = offeredTo.filter((one) => one === id).length;
      if (count('release_offer', id) !== claimed - offers) throw new Error(`${id} was claimed and is not released`);
      const talks = count('start_conversation', id) - count('end_conversation', id);
      const isActive = activeFor.includes(id) && !offeredTo.includes(id);
      if (talks !== Number(isActive) && !(talks === 1 && activeFor.includes(id)))
        throw new Error(`${id} is in ${talks} conversations, and ${isActive ? 'one' : 'none'} goes on`);
    }
  }

  /** The session is told what is true, each thing once, and its end last. */
  #checkSession(): void {
    const { assistant, transfers } = this.test.call;
    const all = [...this.told, ...this.#untold()];
    const ends = all.filter(({ kind }) => kind === 'ended');
    if (ends.length > 1) throw new Error('a session has ended twice');
    if (ends.length === 1 && all.at(-1)?.kind !== 'ended') throw new Error('a session goes on after its end');
    if ((assistant?.outcome ?? null) !== (ends[0]?.kind === 'ended' ? ends[0].outcome : null))
      throw new Error('the outcome of the call is not the one that the session was told');
    const results = all.filter((update) => update.kind === 'transfer_ended');
    if (new Set(results.map(({ actionId }) => actionId)).size < results.length)
      throw new Error('a transfer has two results');
    for (const { actionId, result } of results) {
      const transfer = transfers.find(({ id }) => id === actionId);
      if (!transfer || isOpen(transfer)) throw new Error('a result of an open transfer');
      const [legId] = transfer.targetLegIds;
      if (result === 'connected' && !(legId !== undefined && this.#partners.has(legId)))
        throw new Error('told to be connected with somebody who was not');
      if ((result === 'connected') !== (transfer.state === 'completed')) throw new Error('told another result');
    }
    if (transfers.filter(isOpen).length > 1) throw new Error('two open transfers');
    if (this.test.call.state === 'ended' && transfers.some(isOpen)) throw new Error('an open transfer at the end');
  }

  #untold(): SessionUpdate[] {
    const { assistant } = this.test.call;
    return (assistant?.updates ?? [])
      .filter(({ sequence }) => sequence > this.#lastSequence)
      .map(({ update }) => update);
  }

  /** What is wrong once everything was executed and reported. */
  difference(): string | undefined {
    const { phase, state, customerLegId } = this.test.call;
    if (state === 'ended' || phase.kind === 'hanging_up') return this.alive.size > 0 ? 'a leg is left' : undefined;
    if (this.test.call.callback) return undefined;
    if (!this.alive.has(customerLegId)) return 'the caller has left, and the call goes on';
    const isWith = (one: string, other: string | null) => other !== null && this.#bridged.get(one) === other;
    // Hold and a phone that is missing are the employee's affair, as in any conversation.
    if (phase.kind === 'talking' && (this.test.call.hold || !this.alive.has(phase.legId))) return undefined;
    if (phase.kind === 'talking' && this.#isMasked) return 'a conversation is not recorded';
    if (phase.kind === 'talking' || phase.kind === 'outside')
      return isWith(CUSTOMER, phase.legId) ? undefined : `not connected in ${phase.kind}`;
    if (phase.kind !== 'assisted') return undefined;
    const { stage, assistantLegId, link } = phase;
    if (stage.kind === 'talking' && link === 'bridged') {
      if (this.#isMasked) return 'what the caller says is not recorded';
      return isWith(CUSTOMER, assistantLegId) ? undefined : 'not connected with the assistant';
    }
    const isThere =
      assistantLegId !== null && this.#answered.has(assistantLegId) && !this.#unreported.has(assistantLegId);
    const isAnnouncing = phase.playId !== null;
    if (stage.kind === 'leaving') return 'the fallback does not begin';
    if (stage.kind === 'talking' && (assistantLegId === null || (isThere && !isAnnouncing)))
      return 'nobody talks with the caller';
    if (stage.kind === 'handing_over' && !isAnnouncing) return 'the caller is not handed over';
    if (stage.kind === 'whispering' && link !== 'bridged') return 'who has answered hears nothing';
    const isRecorded = this.test.call.recordings.some(({ status }) => status === 'started');
    if ((stage.kind === 'transferring' || stage.kind === 'whispering') && isRecorded && !this.#isMasked)
      return 'what the caller says who waits is recorded';
    if (stage.kind === 'whispering' && link === 'bridged' && !isWith(stage.legId, assistantLegId))
      return 'nobody says who calls';
    if ((stage.kind === 'transferring' || stage.kind === 'whispering') && !this.#hears.has(CUSTOMER))
      return 'the caller hears nothing';
    return undefined;
  }

  /** What has to be true at the very end: everybody has left. */
  checkEnd(): void {
    for (const legId of this.alive) this.#end(legId);
    this.settle();
    this.test.pass(5 * 3600);
    this.settle();
    const { state, legs, assistant, updatesLeft } = { ...this.test.call, updatesLeft: this.#untold() };
    if (state !== 'ended' || legs.length > 0) throw new Error(`${state} with ${legs.length} legs at the end`);
    if (assistant && assistant.outcome === null) throw new Error('a session without an outcome');
    if (assistant?.sessionId && updatesLeft.length > 0) throw new Error('a session was not told its end');
    if (assistant?.sessionId && this.told.at(-1)?.kind !== 'ended') throw new Error('a session has no end');
    if (this.alive.size > 0) throw new Error('a leg is left behind');
  }

  #startTransfer(actionId: string, isOutside: boolean): void {
    const { transfers, takeover, offeredTo, activeFor } = this.test.call;
    // Repeated, the RPC finds it.
    if (transfers.some(({ id }) => id === actionId)) return;
    const free = team.filter(({ id }) => takeover?.employee.id !== id && ![...offeredTo, ...activeFor].includes(id));
    const targets = free.slice(0, 1 + (this.#details % 3)).map((employee, index) => ({
      employee,
      ...(index === 1 && this.#details % 5 === 0 && { forwardTo: MOBILE }),
    }));
    if (targets.length === 0) return;
    this.#apply({
      type: 'start_assistant_transfer',
      actionId,
      targets: isOutside ? { phoneNumber: OUTSIDE } : targets,
      targetName: 'Sales',
      sealedIntroduction: 'sealed',
    });
  }

  #startTakeover(employee: typeof ada, isForwarded: boolean): void {
    const { offeredTo, activeFor } = this.test.call;
    if ([...offeredTo, ...activeFor].includes(employee.id)) return;
    this.#apply({ type: 'start_takeover', employee, ...(isForwarded && { forwardTo: MOBILE }) });
  }

  #offer(employee: typeof ada): void {
    const { offeredTo, activeFor } = this.test.call;
    if (![...offeredTo, ...activeFor].includes(employee.id)) this.#apply({ type: 'offer', employee });
  }

  /** The caller is told to leave only when somebody who talks with the caller has left, or the flow has come to its end. */
  #apply(input: CallInput): void {
    const { phase } = this.test.call;
    const before = this.test.commands.length;
    this.test.apply(input);
    const isDropped = this.test.commands
      .slice(before)
      .some(
        (command) =>
          command.kind === 'control' && command.steps.some((step) => step.do === 'hang_up' && step.legId === CUSTOMER),
      );
    if (isDropped && phase.kind === 'assisted' && !ENDINGS.includes(input.type))
      throw new Error(`the caller was dropped by ${input.type} in ${phase.stage.kind}`);
  }

  #loseSwitch(): void {
    this.#apply({ type: 'switch_restarted' });
    this.alive.clear();
    this.reports.clear();
    this.#bridged.clear();
    this.#hears.clear();
  }

  /** Events were lost: the state of the switch is compared. Orders that were not executed yet are executed afterwards. */
  #missEvents(): void {
    this.reports.clear();
    const { legs } = this.test.call;
    for (const { id, status } of legs) if (status === 'ordered' && this.alive.has(id)) this.#unreported.add(id);
    const asked = legs.filter(({ status }) => status !== 'ordered').map(({ id }) => id);
    this.#apply({
      type: 'reconciled',
      legs: asked.filter((legId) => this.alive.has(legId)).map((legId) => this.#snapshot(legId)),
      gone: asked.filter((legId) => !this.alive.has(legId)),
    });
  }

  #snapshot(legId: string): LegSnapshot {
    const peerId = this.#bridged.get(legId);
    const isAnswered = this.#answered.has(legId);
    const parked = this.#hears.has(legId) ? 'playback' : 'park';
    return {
      legId,
      isAnswered,
      application: peerId === undefined ? (isAnswered ? parked : null) : 'uuid_bridge',
      applicationData: peerId ?? '',
      memberId: null,
    };
  }

  #finishAudio(played = this.#details % 4 !== 0): void {
    const { phase } = this.test.call;
    if (!('playId' in phase) || phase.playId === null || phase.kind === 'waiting') return;
    this.#hears.delete(CUSTOMER);
    this.#report(CUSTOMER, {
      type: 'playback_finished',
      legId: CUSTOMER,
      playId: phase.playId,
      played,
    });
  }

  #report(legId: string, input: CallInput): void {
    if (this.alive.has(legId) || input.type === 'leg_ended')
      this.reports.set(legId, [...(this.reports.get(legId) ?? []), input]);
  }

  #answer(legId: string): void {
    if (this.#answered.has(legId)) return;
    this.#answered.add(legId);
    this.#report(legId, { type: 'leg_answered', legId });
    this.#report(legId, { type: 'leg_parked', legId, arrival: null });
  }

  #end(legId: string, cause = 'NORMAL_CLEARING'): void {
    if (!this.alive.delete(legId)) return;
    this.#report(legId, { type: 'leg_ended', legId, cause });
    const peer = this.#separate(legId);
    if (peer !== undefined) this.#parked(peer);
  }

  /** Every leg has `park_after_bridge`. */
  #parked(legId: string): void {
    this.#hears.delete(legId);
    this.#report(legId, { type: 'leg_parked', legId, arrival: null });
  }

  #separate(legId: string): string | undefined {
    const peer = this.#bridged.get(legId);
    this.#bridged.delete(legId);
    if (peer !== undefined) this.#bridged.delete(peer);
    return peer;
  }

  #execute(): boolean {
    const command = this.test.commands[this.#executed];
    if (!command) return false;
    this.#executed += 1;
    this.#do(command);
    return true;
  }

  #do(command: CallCommand): void {
    const isUnknown = this.#details % 11 === 0;
    const settle = (result: Extract<CallInput, { type: 'settled' }>['result']) =>
      this.#apply({ type: 'settled', command, result });
    const isWanted = (legId: string) => this.test.call.legs.some(({ id, hangingUp }) => id === legId && !hangingUp);
    switch (command.kind) {
      case 'reserve_assistant': {
        const isRefused = this.#details % 9 === 0;
        const reserved = isRefused ? { refused: 'capacity' as const } : reservation(command.attempt);
        return settle({ kind: 'reserve_assistant', reservation: reserved });
      }
      case 'update_assistant':
        return settle({ kind: 'update_assistant', confirmed: this.#tell() });
      case 'ring': {
        const rung = command.legIds.filter(isWanted).slice(0, this.#details % 13 === 0 ? 0 : 2);
        if (isUnknown && this.#details % 2 === 0) return settle({ kind: 'unknown' });
        for (const legId of rung) this.#create(legId);
        return settle(isUnknown ? { kind: 'unknown' } : { kind: 'ring', rung });
      }
      case 'dial':
      case 'dial_assistant': {
        const isRefused = !isWanted(command.legId) || this.#details % 10 === 3;
        if (!isRefused) this.#create(command.legId);
        if (isUnknown && !isRefused) return settle({ kind: 'unknown' });
        return settle({ kind: 'dial', refused: isRefused ? 'NORMAL_TEMPORARY_FAILURE' : null });
      }
      case 'check_legs':
        return settle({ kind: 'check_legs', existing: command.legIds.filter((legId) => this.alive.has(legId)) });
      case 'check_audio':
        return settle({ kind: 'check_audio', application: this.#hears.has(CUSTOMER) ? 'playback' : 'park' });
      case 'prepare_key_prompt':
        return settle({ kind: 'prepare_key_prompt', contentHash: 'press-1' });
      case 'control': {
        const failures = command.steps.flatMap((step, index) =>
          this.#doStep(step) ? [] : [{ step: index, reason: '-ERR No such channel!', noSuchLeg: true }],
        );
        return settle({ kind: 'control', failures });
      }
      default:
    }
  }

  /** The session gets what it was not told, sometimes without the rest, sometimes twice. */
  #tell(): number {
    const { assistant } = this.test.call;
    for (const { sequence, update } of assistant?.updates ?? []) {
      if (sequence <= this.#lastSequence) continue;
      if (sequence !== this.#lastSequence + 1) throw new Error('a session missed something');
      this.#lastSequence = sequence;
      this.told.push(update);
      this.#checkTruth(update);
    }
    return this.#lastSequence;
  }

  /** At the moment when it is told. */
  #checkTruth(update: SessionUpdate): void {
    if (update.kind === 'connected' && this.#partners.size === 0) throw new Error('told to be connected with nobody');
    if (update.kind !== 'transfer_ended' || update.result === 'connected') return;
    const transfer = this.test.call.transfers.find(({ id }) => id === update.actionId);
    if (transfer?.targetLegIds.some((legId) => this.#bridged.get(CUSTOMER) === legId))
      throw new Error(`told ${update.result} while the caller talks with the target`);
  }

  #create(legId: string): void {
    this.alive.add(legId);
  }

  /** False when the switch does not have the leg. */
  #doStep(step: ControlStep): boolean {
    if (!('legId' in step)) return true;
    const { legId } = step;
    if (!this.alive.has(legId)) return false;
    switch (step.do) {
      case 'hang_up':
        this.#end(legId, step.cause);
        return true;
      case 'park': {
        const peer = this.#separate(legId);
        this.#parked(legId);
        if (peer !== undefined) this.#parked(peer);
        return true;
      }
      case 'bridge': {
        const { peerId } = step;
        if (!this.alive.has(peerId)) return false;
        for (const one of [legId, peerId]) {
          const other = this.#separate(one);
          if (other !== undefined && other !== legId && other !== peerId) this.#parked(other);
          this.#hears.delete(one);
        }
        this.#bridged.set(legId, peerId).set(peerId, legId);
        if (legId === CUSTOMER) this.#partners.add(peerId);
        this.#report(legId, { type: 'leg_bridged', legId, peerId });
        return true;
      }
      case 'play':
        if (!this.#bridged.has(legId)) this.#hears.add(legId);
        return true;
      case 'stop_audio':
        this.#hears.delete(legId);
        return true;
      case 'mask_recording':
        this.#isMasked = step.isMasked;
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
