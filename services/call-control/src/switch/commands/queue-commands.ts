import { holdOtherCalls } from '../../dispatch/calls-of-employee.ts';
import type { EmployeeDispatch } from '../../dispatch/employee-dispatch.ts';
import { addConversationLease, type Presences } from '../../presence/presence-store.ts';
import { canTakeWaitingCall, forwardOf, isSame, type LeaseKey } from '../../presence/presence.ts';
import type { CallRunner } from '../../calls/store/call-runner.ts';
import type { Calls } from '../../calls/store/call-store.ts';
import type { CompanyOf } from '../../clients/company-client.ts';
import { type Handlers, LONG, recentCall, UNORDERED, untilConfirmed, withoutResult } from './command-handler.ts';
import { permitCallback } from './permit-dialling.ts';
import type { Call } from '../../calls/model/call.ts';
import { queuePositions, waitingSince } from '../../calls/model/queue-position.ts';

export interface QueueCommandDeps {
  readonly calls: Calls;
  readonly runner: CallRunner;
  readonly presences: Pick<Presences, 'of'>;
  readonly dispatch: EmployeeDispatch;
  readonly companyOf: CompanyOf;
  readonly lookUpCaller: (companyId: string, phone: string) => Promise<void>;
  readonly onLookUpError: (error: unknown) => void;
}

/** Callers who arrive, wait, or are called back. */
export function callerCommands(
  deps: QueueCommandDeps,
): Handlers<'update_queue_positions' | 'permit_callback' | 'replace_callbacks' | 'look_up_caller'> {
  const { calls } = deps;
  return {
    update_queue_positions: withoutResult<'update_queue_positions'>(async (_command, context) => {
      const call = await recentCall(calls, context);
      if (call) await updateQueuePositions(deps, call);
    }, UNORDERED),
    permit_callback: untilConfirmed<'permit_callback'>(async (_command, context) => {
      const call = await recentCall(calls, context);
      return { kind: 'permit_callback', isPermitted: call !== undefined && (await permitCallback(deps, call)) };
    }, UNORDERED),
    replace_callbacks: untilConfirmed<'replace_callbacks'>(async (_command, context) => {
      const call = await recentCall(calls, context);
      return { kind: 'replace_callbacks', since: call ? await replaceCallbacks(deps, call) : null };
    }, UNORDERED),
    look_up_caller: withoutResult<'look_up_caller'>(async (_command, context) => {
      const call = await recentCall(calls, context);
      // Not retried when it fails: the call continues without it.
      if (call) await deps.lookUpCaller(call.companyId, call.from).catch(deps.onLookUpError);
    }, LONG),
  };
}

/** The presence of the employees whom a call rings, or who take part in it. */
export function employeeCommands({
  presences,
  dispatch,
  runner,
}: QueueCommandDeps): Handlers<
  'dispatch_employees' | 'start_conversation' | 'end_conversation' | 'claim_employee' | 'release_offer'
> {
  /** Whoever stays in another call has no new status, which would have a waiting caller offered. */
  async function endLease(companyId: string, employeeId: string, lease: LeaseKey): Promise<void> {
    const presence = await presences.of(companyId).endLease(employeeId, lease);
    if (presence?.status === 'on_call' && canTakeWaitingCall(presence))
      await dispatch.offerEmployee(companyId, employeeId);
  }

  return {
    dispatch_employees: withoutResult<'dispatch_employees'>(
      (_command, { companyId, aggregateId: id }) => dispatch.dispatchCall({ companyId, id }),
      UNORDERED,
    ),
    start_conversation: withoutResult<'start_conversation'>(
      async ({ employeeId, holdsOthers }, { companyId, aggregateId: id }) => {
        const presence = await addConversationLease(presences, { companyId, employeeId, callId: id });
        if (holdsOthers) await holdOtherCalls(runner, presence, id);
      },
    ),
    end_conversation: withoutResult<'end_conversation'>(({ employeeId }, { companyId, aggregateId: id }) =>
      endLease(companyId, employeeId, { kind: 'conversation', id }),
    ),
    claim_employee: untilConfirmed<'claim_employee'>(async ({ employeeId }, { companyId, aggregateId: id }) => {
      const own = presences.of(companyId);
      await own.offerRing(employeeId, id);
      // One that was claimed by this very command, before a crash, is claimed as well.
      const presence = await own.get(employeeId);
      const isClaimed = presence?.leases.some((lease) => isSame(lease, { kind: 'ring_offer', id })) ?? false;
      const forwardTo = presence && forwardOf(presence);
      return { kind: 'claim_employee', isClaimed, ...(forwardTo !== undefined && { forwardTo }) };
    }),
    release_offer: withoutResult<'release_offer'>(({ employeeId }, { companyId, aggregateId: id }) =>
      endLease(companyId, employeeId, { kind: 'ring_offer', id }),
    ),
  };
}

interface WaitingCallerDeps {
  readonly calls: Pick<Calls, 'queueOf'>;
  readonly runner: CallRunner;
}

/**
 * Tells the waiting calls of a call's business number their places in the queue: only those who would hear it; a call whose place
 * is the same as before is not written. May be repeated.
 */
async function updateQueuePositions({ calls, runner }: WaitingCallerDeps, { companyId, number }: Call): Promise<void> {
  const places = number.positionPrompts?.length ?? 0;
  const waiting = (await calls.queueOf(companyId)).filter((queued) => queued.number.id === number.id);
  for (const [id, place] of queuePositions(waiting))
    if (place <= places) await runner.apply({ companyId, id }, { type: 'place_found', place });
}

/**
 * Ends what the caller of a call waits for in earlier calls to the business number; since when, at the earliest. A person is called
 * back once, however often the person called and asked for it.
 */
async function replaceCallbacks(
  { calls, runner }: WaitingCallerDeps,
  { id: newest, companyId, number, remoteNumber, startedAt }: Call,
): Promise<Date | null> {
  const earlier = (await calls.queueOf(companyId)).filter(
    (queued) =>
      queued.id !== newest &&
      queued.number.id === number.id &&
      queued.remoteNumber === remoteNumber &&
      queued.callback?.state === 'waiting' &&
      queued.startedAt <= startedAt,
  );
  for (const { id } of earlier) await runner.apply({ companyId, id }, { type: 'callback_replaced' });
  return earlier.length > 0 ? new Date(Math.min(...earlier.map(waitingSince))) : null;
}
