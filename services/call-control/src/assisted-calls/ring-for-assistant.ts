import { Refused } from '@parley/errors';
import type { Call } from '../calls/model/call.ts';
import type { TransferResult } from '../calls/model/call-assistant.ts';
import type { CallInput } from '../calls/model/call-input.ts';
import type { Calls } from '../calls/store/call-store.ts';
import type { CallRunner } from '../calls/store/call-runner.ts';
import { permitNumber } from '../call-usage/call-permission.ts';
import type { CompanyOf } from '../clients/company-client.ts';
import { forwardOf, isSame } from '../presence/presence.ts';
import type { Presences } from '../presence/presence-store.ts';

interface RingDeps {
  readonly calls: Pick<Calls, 'of'>;
  readonly runner: CallRunner;
  readonly presences: Pick<Presences, 'of'>;
  readonly companyOf: CompanyOf;
  /** The number of configured carriers. */
  readonly carriers: number;
}

type TransferInput = Extract<CallInput, { type: 'start_assistant_transfer' }>;
type Target = Exclude<TransferInput['targets'], { phoneNumber: string }>[number];

/** Employees who are claimed at once. */
const CLAIMS_AT_ONCE = 8;

/** Undefined while somebody rings; otherwise why nobody does, and the caller has stayed with the assistant. */
export async function ringForAssistant(
  deps: RingDeps,
  call: Call,
  transfer: Omit<TransferInput, 'type' | 'targets'>,
  wanted: { readonly employeeIds: readonly string[] } | { readonly phoneNumber: string },
): Promise<TransferResult | undefined> {
  const start = (targets: TransferInput['targets']) =>
    deps.runner.apply(call, { type: 'start_assistant_transfer', ...transfer, targets });
  if ('phoneNumber' in wanted) {
    if (!(await isAllowed(deps, call, wanted.phoneNumber))) return 'not_allowed';
    return resultOf(start({ phoneNumber: wanted.phoneNumber }));
  }
  const { targets, release } = await claimAll(deps, call, wanted.employeeIds);
  if (targets.length === 0) {
    await deps.runner.apply(call, { type: 'assistant_transfer_unavailable', targetName: transfer.targetName });
    return 'unavailable';
  }
  try {
    const result = await resultOf(start(targets));
    if (result !== undefined) await release();
    return result;
  } catch (error) {
    await release();
    throw error;
  }
}

/** A transfer that does not fit into the call any more has failed. */
async function resultOf(started: Promise<Call | undefined>): Promise<TransferResult | undefined> {
  try {
    return (await started) ? undefined : 'failed';
  } catch (error) {
    if (error instanceof Refused) return 'failed';
    throw error;
  }
}

/** The rules of placed calls; nobody is connected with oneself. Limits count when the phone is called. */
async function isAllowed({ companyOf, carriers }: RingDeps, call: Call, phoneNumber: string): Promise<boolean> {
  const company = await companyOf(call.companyId);
  if (!company || carriers === 0 || phoneNumber === call.from) return false;
  const permitted = permitNumber(phoneNumber, company);
  return !('refused' in permitted) && !permitted.allowed.isEmergency && permitted.allowed.to === phoneNumber;
}

/** Those who are available, claimed for the call. One that was claimed by a process that ended is claimed as well. */
async function claimAll({ calls, presences }: RingDeps, call: Call, employeeIds: readonly string[]) {
  const own = presences.of(call.companyId);
  const lease = { kind: 'ring_offer', id: call.id } as const;
  const isRungAlready = (id: string) => call.takeover?.employee.id === id || call.offeredTo.includes(id);
  const rest = [...new Set(employeeIds)].filter((id) => !isRungAlready(id)).values();
  const claimed: (Target & { readonly isNew: boolean })[] = [];
  const worker = async () => {
    for (const employeeId of rest) {
      const isNew = await own.offerRing(employeeId, call.id);
      const presence = await own.get(employeeId);
      if (!presence?.leases.some((one) => isSame(one, lease))) continue;
      const forwardTo = forwardOf(presence);
      const employee = { id: employeeId, name: presence.employee.name };
      claimed.push({ employee, isNew, ...(forwardTo !== undefined && { forwardTo }) });
    }
  };
  await Promise.all(Array.from({ length: CLAIMS_AT_ONCE }, worker));
  return {
    targets: claimed.map(({ isNew: _, ...target }) => target),
    /** Whoever rings all the same was claimed for another request of the same action. */
    release: async () => {
      const rung = (await calls.of(call.companyId).get(call.id))?.offeredTo ?? [];
      for (const { employee, isNew } of claimed)
        if (isNew && !rung.includes(employee.id)) await own.endLease(employee.id, lease);
    },
  };
}
