import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { notFound, refusal, Refused } from '@parley/errors';
import { CallService } from '@parley/proto/call_control/v1/calls_service_pb';
import { PresenceStatus } from '@parley/proto/call_control/v1/presence_pb';
import { type EmployeePrincipal, employees, type RpcServer } from '@parley/rpc';
import { introductionFor, type Introductions } from '../assisted-calls/introduction.ts';
import { changeNotes } from '../call-notes/call-notes.ts';
import { awaitSwitch, isReachable, unreachable } from '../switch/commands/await-switch.ts';
import { holdOtherCalls } from '../dispatch/calls-of-employee.ts';
import type { CallRunner } from '../calls/store/call-runner.ts';
import { type Call, isOnHold, isRecordingPaused } from '../calls/model/call.ts';
import type { CallInput } from '../calls/model/call-input.ts';
import { offersOf } from '../calls/model/derived-fields.ts';
import { openTransfer, type Transfer } from '../calls/model/transfer.ts';
import { isHoldSettled, notInConversation, refuseControl } from '../calls/decide/hold.ts';
import { callToProto } from '../calls/store/call-proto.ts';
import { presenceToProto } from '../presence/presence-proto.ts';
import { transferToProto } from '../transfers/transfer-rpcs.ts';
import { listCalls, type ListCallsDeps } from './list-calls.ts';
import { placeCall, type PlaceCallDeps } from './place-call.ts';

interface CallDeps extends ListCallsDeps, PlaceCallDeps {
  readonly runner: CallRunner;
  readonly introductions: Pick<Introductions, 'open'>;
  /** The time in which the switch has to confirm a command. */
  readonly confirmLimitMs: number;
}

const refusedBySwitch = refusal('esl_unreachable', 'the switch did not execute the order; nothing has changed');

/** True when the switch refused the last command, so that the call has its former state. */
function wasRefused(call: Call, input: Extract<CallInput, { type: 'hold' | 'pause_recording' }>): boolean {
  const isAsOrdered = input.type === 'hold' ? isOnHold(call) === input.on : isRecordingPaused(call) === input.paused;
  const orders =
    input.type === 'hold'
      ? ['held', 'resumed', 'hold_refused']
      : ['recording_paused', 'recording_resumed', 'recording_pause_refused', 'recording_resume_refused'];
  const last = call.timeline.findLast(({ what }) => orders.includes(what));
  return !isAsOrdered && (last?.what.endsWith('_refused') ?? false);
}

/** An employee who is rung by an assistant is the target, whoever else rings. */
function shownTransfer(call: Call, transfer: Transfer, employeeId: string) {
  const rung = offersOf(call.phase).find(({ employee }) => employee.id === employeeId);
  return transferToProto(transfer.fromAssistant && rung ? { ...transfer, to: rung.employee } : transfer);
}

/** Every RPC of the contract. */
export function addCallService(server: RpcServer, deps: CallDeps): void {
  const { calls, presences, views, runner, switches, notes, introductions, clock, confirmLimitMs } = deps;

  async function existing(companyId: string, id: string): Promise<Call> {
    const call = await calls.of(companyId).get(id);
    if (!call) throw new Refused(notFound);
    return call;
  }

  /** Coworkers on do-not-disturb are shown as logged out. */
  async function coworkersOf(companyId: string, employeeId: string) {
    const presencesOfCompany = await presences.of(companyId).list();
    return presencesOfCompany
      .filter(({ id }) => id !== employeeId)
      .map((presence) => {
        const { status = PresenceStatus.UNSPECIFIED } = presenceToProto(presence);
        const isHidden = status === PresenceStatus.DO_NOT_DISTURB;
        return {
          id: presence.id,
          name: presence.employee.name,
          status: isHidden ? PresenceStatus.LOGGED_OUT : status,
        };
      });
  }

  /** Who calls, as far as an assistant that rings the employee has understood it. */
  function introductionOf(call: Call, employeeId: string) {
    const found = introductionFor(call, employeeId);
    if (!found) return undefined;
    const { callerName, matter } = introductions.open(call.id, found.sealed);
    return {
      name: found.assistantName,
      ...(callerName !== null && { callerName }),
      ...(matter !== null && { matter }),
    };
  }

  /** Orders something of a conversation; the call once the switch has confirmed it. */
  async function control(
    id: string,
    principal: EmployeePrincipal,
    input: Extract<CallInput, { type: 'hold' | 'pause_recording' }>,
    isConfirmed: (call: Call) => boolean,
  ) {
    const call = await existing(principal.companyId, id);
    const why = refuseControl(call, principal.employeeId);
    if (why) throw new Refused(why);
    if (!isReachable(switches, call.switch.name)) throw new Refused(unreachable);
    // An employee who talks to one caller cannot talk to another.
    if (input.type === 'hold' && !input.on)
      await holdOtherCalls(runner, await presences.of(principal.companyId).get(principal.employeeId), id);
    await runner.apply(call, input);
    const confirmed = await awaitSwitch(
      calls,
      call,
      (current) => current.phase.kind !== 'talking' || isConfirmed(current),
      confirmLimitMs,
    );
    if (!confirmed) throw new Refused(unreachable);
    // The conversation ended before the switch could confirm anything.
    if (confirmed.phase.kind !== 'talking') throw new Refused(notInConversation);
    if (wasRefused(confirmed, input)) throw new Refused(refusedBySwitch);
    const [shown] = await views.show(principal, [confirmed]);
    return { call: shown };
  }

  server.add(CallService, employees.withRole('member'), {
    listCalls: listCalls(deps),
    async getCall({ id }, { principal }) {
      const [shown] = await views.show(principal, [await existing(principal.companyId, id)]);
      return { call: shown };
    },
    async getActiveCall(_request, { principal: { companyId, employeeId } }) {
      const call = await calls.activeFor(companyId, employeeId);
      if (!call) return {};
      const transfer = openTransfer(call.transfers);
      const coworkers = await coworkersOf(companyId, employeeId);
      const assistant = introductionOf(call, employeeId);
      return {
        call: callToProto(call),
        ...(transfer && { transfer: shownTransfer(call, transfer, employeeId) }),
        coworkers,
        ...(assistant && { assistant }),
      };
    },
    placeCall: placeCall(deps),
    async updateCall({ id, note, tags }, { principal }) {
      const { companyId, employeeId: actorId } = principal;
      const change = { note, tags: tags?.tags, actorId };
      const call = await calls.of(companyId).change(id, (current) => changeNotes(current, change, notes, clock.now()));
      const [shown] = await views.show(principal, [call]);
      return { call: shown };
    },
    holdCall: ({ id, on }, { principal }) =>
      control(
        id,
        principal,
        { type: 'hold', actorId: principal.employeeId, on },
        (call) => isOnHold(call) !== on || isHoldSettled(call),
      ),
    pauseRecording: ({ id, paused }, { principal }) =>
      control(
        id,
        principal,
        { type: 'pause_recording', actorId: principal.employeeId, paused },
        ({ recordingPause }) => recordingPause?.isConfirmed ?? true,
      ),
    async getCallTimeline({ id }, { principal: { companyId } }) {
      const { timeline } = await existing(companyId, id);
      return { entries: timeline.map(({ at, ...entry }) => ({ at: timestampFromDate(at), ...entry })) };
    },
  });
}
