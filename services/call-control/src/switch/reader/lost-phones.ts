import type { Presences } from '../../presence/presence-store.ts';
import type { CallRunner } from '../../calls/store/call-runner.ts';
import type { Calls } from '../../calls/store/call-store.ts';

/** Hangs up the legs of a phone that has unregistered, which would otherwise ring until their timeout. */
export function lostPhones(deps: {
  calls: Calls;
  runner: CallRunner;
  presences: Pick<Presences, 'of' | 'companyOf'>;
}): (phone: { employeeId: string; callId: string }) => Promise<void> {
  const { calls, runner, presences } = deps;
  return async ({ employeeId, callId }) => {
    const companyId = await presences.companyOf(employeeId);
    const presence = companyId === undefined ? undefined : await presences.of(companyId).get(employeeId);
    const address = presence?.leases.find(({ contact }) => contact?.callId === callId)?.contact?.address;
    if (companyId === undefined || !address) return;
    // Up to its parameters, which the switch may write in another order.
    const [phone = address] = address.split(';');
    const active = await calls.activeFor(companyId, employeeId);
    for (const call of [...(await calls.offeredTo(companyId, employeeId)), ...(active ? [active] : [])]) {
      const legs = call.legs.filter((leg) => leg.employeeId === employeeId && leg.contact?.includes(phone));
      if (legs.length > 0) await runner.apply(call, { type: 'phone_lost', legIds: legs.map(({ id }) => id) });
    }
  };
}
