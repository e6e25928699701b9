import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@parley/clock';
import { invalid, notFound, refusal, Refused } from '@parley/errors';
import { type EmployeePrincipal, employees, type Handler, type RpcServer } from '@parley/rpc';
import { newId } from '@parley/secrets';
import {
  TransferMode,
  type TransferSchema,
  TransferService,
  TransferState as ProtoState,
} from '@parley/proto/call_control/v1/transfers_pb';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { CallInput } from '../calls/model/call-input.ts';
import type { CallKey, CallRunner } from '../calls/store/call-runner.ts';
import type { CallAdmissions } from '../call-usage/call-admissions.ts';
import { permitCall, type PlacedCallRequest } from '../call-usage/call-permission.ts';
import type { Call } from '../calls/model/call.ts';
import { employeesOf } from '../calls/model/call-flow.ts';
import type { Participant } from '../calls/model/participant.ts';
import type { CompanyOf } from '../clients/company-client.ts';
import type { Routing } from '../clients/routing-client.ts';
import type { Calls } from '../calls/store/call-store.ts';
import type { EmployeeDirectory } from '../employees/directory-client.ts';
import { forwardOf } from '../presence/presence.ts';
import type { Presences } from '../presence/presence-store.ts';
import type { Switches } from '../switch/connection/switch-client.ts';
import { refuseStart } from '../calls/decide/decide-transfer.ts';
import { isOpen, type OutsideTarget, type Transfer, type TransferState } from '../calls/model/transfer.ts';
import { awaitSwitch, isReachable, unreachable } from '../switch/commands/await-switch.ts';

/** Every RPC of the contract. */
export function addTransferService(server: RpcServer, deps: TransferDeps): void {
  async function changed(key: CallKey, input: Extract<CallInput, { type: 'complete_transfer' | 'cancel_transfer' }>) {
    const call = await deps.runner.apply(key, input);
    const transfer = call?.transfers.find(({ id }) => id === input.transferId);
    if (!transfer) throw new Refused(notFound);
    return { transfer: transferToProto(transfer) };
  }
  server.add(TransferService, employees.withRole('member'), {
    startTransfer: startTransfer(deps),
    completeTransfer: ({ callId, transferId }, { principal: { companyId, employeeId: actorId } }) =>
      changed({ companyId, id: callId }, { type: 'complete_transfer', transferId, actorId }),
    cancelTransfer: ({ callId, transferId }, { principal: { companyId, employeeId: actorId } }) =>
      changed({ companyId, id: callId }, { type: 'cancel_transfer', transferId, actorId }),
  });
}

interface TransferDeps {
  readonly calls: Calls;
  readonly runner: CallRunner;
  readonly presences: Pick<Presences, 'of'>;
  readonly switches: Switches;
  readonly directory: Pick<EmployeeDirectory, 'find'>;
  readonly routing: Pick<Routing, 'route'>;
  readonly companyOf: CompanyOf;
  readonly admissions: CallAdmissions;
  /** The number of configured carriers. */
  readonly carriers: number;
  readonly clock: Clock;
  /** The time in which the switch has to confirm a start. */
  readonly confirmLimitMs: number;
}

const CLAIM_POLL_MS = 15;
/** Two writes of another request, on a busy machine. */
const CLAIM_LIMIT_MS = 1000;

/** A target is claimed, or its call admitted, before the transfer begins; both are undone when it does not. */
const startTransfer =
  (deps: TransferDeps): Handler<typeof TransferService.method.startTransfer, EmployeePrincipal> =>
  async ({ callId, employeeId, phoneNumber, mode }, { principal }) => {
    const { companyId, employeeId: actorId } = principal;
    const isOutside = phoneNumber !== undefined;
    if (isOutside === (employeeId !== '')) throw new Refused(oneTarget);
    const [call, coworker] = await Promise.all([
      deps.calls.of(companyId).get(callId),
      isOutside ? undefined : findCoworker(deps, companyId, employeeId),
    ]);
    if (!call || (!isOutside && !coworker)) throw new Refused(notFound);
    const why = refuseStart(call, actorId, coworker?.id ?? null);
    if (why) throw new Refused(why);
    if (!isReachable(deps.switches, call.switch.name)) throw new Refused(unreachable);
    const isBlind = mode === TransferMode.BLIND;
    const queue = isBlind && !call.queue ? await queueOf(deps, call) : undefined;
    const transferId = newId('tra');
    const { release, ...target } = coworker
      ? await claimCoworker(deps, call, actorId, coworker)
      : await admitOutside(deps, { companyId, employeeId: actorId, callId: transferId, dialled: phoneNumber ?? '' });
    const input = { type: 'start_transfer', transferId, actorId, ...target, isBlind, ...(queue && { queue }) } as const;
    const started = await deps.runner.apply(call, input).catch(async (error: unknown) => {
      await release();
      throw error;
    });
    const transfer = isBlind ? transferIn(started, transferId) : await confirmed(deps, call, transferId);
    if (!transfer) throw new Refused(notFound);
    return { transfer: transferToProto(transfer) };
  };

const oneTarget = invalid({ employee_id: ['give either employee_id or phone_number'] });

/** A target that is ready to be rung, and what is undone when it is not. */
interface ReadyTarget {
  readonly target: Participant | OutsideTarget;
  readonly forwardTo?: string;
  readonly release: () => Promise<unknown>;
}

async function findCoworker(deps: TransferDeps, companyId: string, id: string): Promise<Participant | undefined> {
  const [target, isRemoved] = await Promise.all([deps.presences.of(companyId).get(id), wasRemoved(deps, id)]);
  return target && !isRemoved ? { id, name: target.employee.name } : undefined;
}

async function claimCoworker(
  deps: TransferDeps,
  call: Call,
  actorId: string,
  target: Participant,
): Promise<ReadyTarget> {
  await claimTarget(deps, call, { actorId, employeeId: target.id });
  const own = deps.presences.of(call.companyId);
  const presence = await own.get(target.id);
  const forwardTo = presence && forwardOf(presence);
  const lease = { kind: 'ring_offer', id: call.id } as const;
  return { target, ...(forwardTo !== undefined && { forwardTo }), release: () => own.endLease(target.id, lease) };
}

/**
 * A call to a phone outside is a new call of the employee within the minute, and within the destinations of the company;
 * not one more at once, because the call itself is counted.
 */
async function admitOutside(deps: TransferDeps, request: PlacedCallRequest): Promise<ReadyTarget> {
  const { companyId, callId: id } = request;
  const company = await deps.companyOf(companyId);
  if (!company) throw new Refused(notFound);
  const limits = { ...company.limits, simultaneousCalls: Infinity, employeeSimultaneousCalls: Infinity };
  const permitted = await permitCall(deps.admissions, { ...company, limits }, request);
  deps.admissions.ended({ companyId, id });
  if ('refused' in permitted) {
    const { refused } = permitted;
    throw new Refused(refused.fields ? invalid({ phone_number: ['is not a valid phone number'] }) : refused);
  }
  const { to: phoneNumber, isEmergency } = permitted.allowed;
  if (isEmergency) throw new Refused(invalid({ phone_number: ['is an emergency number, which has to be called'] }));
  if (deps.carriers === 0) throw new Refused(unreachable);
  return { target: { phoneNumber, carrier: 0, carriers: deps.carriers }, release: async () => undefined };
}

/** Whom callers of the business number wait for now: for a customer whom neither target nor controller take. */
async function queueOf({ routing, clock }: TransferDeps, { number }: Call): Promise<readonly string[]> {
  const route = await routing.route(number.number, clock.now()).catch(() => undefined);
  return route?.flow ? employeesOf(route.flow) : [];
}

/** The event of a deletion may not have arrived yet. While directory does not answer, its copy decides. */
async function wasRemoved({ directory }: TransferDeps, employeeId: string): Promise<boolean> {
  return directory.find(employeeId).then(
    (employee) => employee === undefined,
    () => false,
  );
}

/**
 * Claims the target. One that is rung for this very call is either the target of another transfer that is about to begin,
 * or was rung by the queue and is about to be released: which one is known a moment later.
 */
async function claimTarget(
  { calls, presences }: TransferDeps,
  { companyId, id }: CallKey,
  { actorId, employeeId }: { actorId: string; employeeId: string },
): Promise<void> {
  const own = presences.of(companyId);
  const deadline = performance.now() + CLAIM_LIMIT_MS;
  while (!(await own.offerRing(employeeId, id))) {
    const call = await calls.of(companyId).get(id);
    if (!call) throw new Refused(notFound);
    const why = refuseStart(call, actorId, employeeId);
    if (why) throw new Refused(why);
    const leases = (await own.get(employeeId))?.leases ?? [];
    const isOurs = leases.some((lease) => lease.kind === 'ring_offer' && lease.id === id);
    if (!isOurs || performance.now() > deadline)
      throw new Refused(refusal('target_unavailable', 'the target cannot be rung now'));
    await sleep(CLAIM_POLL_MS);
  }
}

/** The transfer once the switch has moved the conversation; what it does not confirm in time is undone. */
async function confirmed(deps: TransferDeps, key: CallKey, transferId: string): Promise<Transfer> {
  const { calls, runner, confirmLimitMs } = deps;
  const isSettled = (call: Call) => {
    const started = transferIn(call, transferId);
    return !started || started.isSetUp || !isOpen(started);
  };
  const settled = transferIn(await awaitSwitch(calls, key, isSettled, confirmLimitMs), transferId);
  if (settled && !settled.isSetUp) throw new Refused(settled.state === 'failed' ? callOver : unreachable);
  const transfer = settled ?? transferIn(await runner.apply(key, { type: 'abandon_transfer', transferId }), transferId);
  if (transfer?.isSetUp) return transfer;
  throw new Refused(unreachable);
}

const callOver = refusal('call_not_transferable', 'the call is not in conversation');

function transferIn(call: Call | undefined, transferId: string): Transfer | undefined {
  return call?.transfers.find(({ id }) => id === transferId);
}

const states: Record<TransferState, ProtoState> = {
  ringing: ProtoState.RINGING,
  consulting: ProtoState.CONSULTING,
  completed: ProtoState.COMPLETED,
  cancelled: ProtoState.CANCELLED,
  failed: ProtoState.FAILED,
};

export function transferToProto({
  id,
  state,
  from,
  fromAssistant,
  to,
  outside,
  isBlind,
}: Transfer): MessageInitShape<typeof TransferSchema> {
  return {
    id,
    state: states[state],
    ...(from && { fromEmployee: { id: from.id, name: from.name } }),
    ...(fromAssistant && { fromAssistant: { id: fromAssistant.id, name: fromAssistant.name } }),
    ...(to && { toEmployee: { id: to.id, name: to.name } }),
    ...(outside && { toPhoneNumber: outside.phoneNumber }),
    mode: isBlind ? TransferMode.BLIND : TransferMode.WARM,
  };
}
