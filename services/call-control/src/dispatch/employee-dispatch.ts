import type { Clock } from '@parley/clock';
import { canTakeWaitingCall, forwardOf, isActive, type StatusChange } from '../presence/presence.ts';
import type { CompanyPresences, Presences } from '../presence/presence-store.ts';
import type { Call } from '../calls/model/call.ts';
import type { CallKey, CallRunner } from '../calls/store/call-runner.ts';
import type { Calls } from '../calls/store/call-store.ts';
import { ringingOrder, waitsFor } from '../calls/decide/queue.ts';

/** Offers waiting calls to available employees. */
export type EmployeeDispatch = ReturnType<typeof employeeDispatch>;

const ATTEMPTS_MAX = 5;
const EMPLOYEES_AT_ONCE = 8;

/**
 * The employee is claimed first, in one write that only succeeds while the employee is available; the call that has
 * waited longest is looked for after that. So two calls, or two processes, never ring one employee, and order is kept.
 */
export function employeeDispatch(deps: {
  calls: Calls;
  runner: CallRunner;
  presences: Pick<Presences, 'of'>;
  clock: Clock;
}) {
  const { calls, runner, presences, clock } = deps;

  async function longestWaiting(companyId: string, employeeId: string): Promise<Call | undefined> {
    // Those before it may have been declined, or ring already.
    for await (const call of calls.waitingFor(companyId, employeeId))
      if (waitsFor(call, employeeId, clock.now())) return call;
    return undefined;
  }

  /** Rings an employee for the call that has waited longest. */
  async function offerEmployee(companyId: string, employeeId: string): Promise<void> {
    const own = presences.of(companyId);
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const call = await longestWaiting(companyId, employeeId);
      if (!call || !(await own.offerRing(employeeId, call.id, true))) return;
      // A call that has waited longer may have been added meanwhile.
      const first = await longestWaiting(companyId, employeeId);
      if (first?.id === call.id && (await offerTo(call, employeeId, own))) return;
      await own.endLease(employeeId, { kind: 'ring_offer', id: call.id });
    }
  }

  async function offerTo(key: CallKey, employeeId: string, own: CompanyPresences): Promise<boolean> {
    const presence = await own.get(employeeId);
    if (!presence || !isActive(presence)) return false;
    const employee = { id: employeeId, name: presence.employee.name };
    const forwardTo = forwardOf(presence);
    const call = await runner.apply(key, { type: 'offer', employee, ...(forwardTo !== undefined && { forwardTo }) });
    return call?.offeredTo.includes(employeeId) ?? false;
  }

  /** Most employees who are in a call get no second one: that costs no look at the waiting calls. */
  async function canTakeSecond(companyId: string, employeeId: string): Promise<boolean> {
    const presence = await presences.of(companyId).get(employeeId);
    return presence !== undefined && canTakeWaitingCall(presence);
  }

  /** Offers one employee after the other until the call rings: an employee may ring for a call that has waited longer. */
  async function ringOne(call: Call, wanted: readonly string[]): Promise<void> {
    const { companyId, id } = call;
    for (const employeeId of ringingOrder(call, await presences.of(companyId).idle(wanted))) {
      await offerEmployee(companyId, employeeId);
      const now = await calls.of(companyId).get(id);
      if (now?.phase.kind !== 'waiting' || now.phase.offers.length > 0) return;
    }
  }

  return {
    offerEmployee,
    /** Rings all available employees of a waiting call, unless another call has waited longer for them. */
    async dispatchCall({ companyId, id }: CallKey): Promise<void> {
      const call = await calls.of(companyId).get(id);
      if (call?.phase.kind !== 'waiting') return;
      const wanted = call.phase.employeeIds.filter((employeeId) => waitsFor(call, employeeId, clock.now()));
      if (call.number.ringStrategy) return ringOne(call, wanted);
      const rest = (await presences.of(companyId).available(wanted)).values();
      const worker = async () => {
        for (const employeeId of rest) await offerEmployee(companyId, employeeId);
      };
      await Promise.all(Array.from({ length: EMPLOYEES_AT_ONCE }, worker));
    },
    /** An employee's status changed, whichever replica noticed it. Called again after a crash or an error. */
    async onStatus({ companyId, employeeId, status, withdrawnCallIds }: StatusChange): Promise<void> {
      for (const id of withdrawnCallIds) await runner.apply({ companyId, id }, { type: 'withdraw_offer', employeeId });
      if (status === 'available' || (status === 'on_call' && (await canTakeSecond(companyId, employeeId))))
        await offerEmployee(companyId, employeeId);
    },
  };
}
