import { setTimeout as sleep } from 'node:timers/promises';
import { notFound, refusal, Refused } from '@parley/errors';
import { newId } from '@parley/ids';
import type { TransferService } from '@parley/proto/call_control/v1/transfers_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { Call } from '../calls/model/call.ts';
import type { CallKey, CallRunner } from '../call-runtime/call-runner.ts';
import type { Calls } from '../calls/store/call-store.ts';
import type { EmployeeDirectory } from '../employees/directory-client.ts';
import type { Presences } from '../presence/presence-store.ts';
import type { Switches } from '../switch/switch-client.ts';
import { refuseStart } from '../calls/state-machine/decide-transfer.ts';
import { isOpen, type Transfer } from '../calls/model/transfer.ts';
import { isReachable, unreachable } from '../call-runtime/await-switch.ts';
import { transferToProto } from './transfer-proto.ts';

/** What the RPCs of transfers work with. */
export interface TransferDeps {
  readonly calls: Calls;
  readonly runner: CallRunner;
  readonly presences: Pick<Presences, 'of'>;
  readonly switches: Switches;
  readonly directory: Pick<EmployeeDirectory, 'find'>;
  /** How long the switch may take to confirm a start. */
  readonly confirmLimitMs: number;
}

/** The switch confirms within milliseconds, or fails; another replica may receive the event. */
const FIRST_POLL_MS = 15;
const POLL_MS_MAX = 250;
/** Two writes of another request, on a busy machine. */
const CLAIM_LIMIT_MS = 1000;

/** The target is claimed before the transfer begins, and released when it does not. */
export const startTransfer =
  (deps: TransferDeps): Handler<typeof TransferService.method.startTransfer, EmployeePrincipal> =>
  async ({ callId, employeeId }, { principal }) => {
    const { calls, presences, switches, runner } = deps;
    const { companyId, employeeId: actorId } = principal;
    const [call, target, isRemoved] = await Promise.all([
      calls.of(companyId).get(callId),
      presences.of(companyId).get(employeeId),
      wasRemoved(deps, employeeId),
    ]);
    if (!call || !target || isRemoved) throw new Refused(notFound);
    const why = refuseStart(call, actorId, employeeId);
    if (why) throw new Refused(why);
    if (!isReachable(switches, call.switch.name)) throw new Refused(unreachable);
    await claimTarget(deps, call, { actorId, employeeId });
    const transferId = newId('tra');
    const input = { transferId, actorId, target: { id: employeeId, name: target.employee.name } };
    try {
      await runner.apply(call, { type: 'start_transfer', ...input });
    } catch (error) {
      await presences.of(companyId).endLease(employeeId, { kind: 'ring_offer', id: callId });
      throw error;
    }
    return { transfer: transferToProto(await confirmed(deps, call, transferId)) };
  };

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
    await sleep(FIRST_POLL_MS);
  }
}

/** The transfer once the switch has moved the conversation; what it does not confirm in time is undone. */
async function confirmed(deps: TransferDeps, key: CallKey, transferId: string): Promise<Transfer> {
  const { calls, runner, confirmLimitMs } = deps;
  const deadline = performance.now() + confirmLimitMs;
  for (let pollMs = FIRST_POLL_MS; performance.now() < deadline; pollMs = Math.min(pollMs * 1.5, POLL_MS_MAX)) {
    const transfer = transferIn(await calls.of(key.companyId).get(key.id), transferId);
    if (!transfer) break;
    if (transfer.isSetUp) return transfer;
    if (!isOpen(transfer)) throw new Refused(transfer.state === 'failed' ? callOver : unreachable);
    await sleep(pollMs);
  }
  const transfer = transferIn(await runner.apply(key, { type: 'abandon_transfer', transferId }), transferId);
  if (transfer?.isSetUp) return transfer;
  throw new Refused(unreachable);
}

const callOver = refusal('call_not_transferable', 'the call is not in conversation');

function transferIn(call: Call | undefined, transferId: string): Transfer | undefined {
  return call?.transfers.find(({ id }) => id === transferId);
}
