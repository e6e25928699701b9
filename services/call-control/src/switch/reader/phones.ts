import type { Presences } from '../../presence/presence-store.ts';
import type { CallRunner } from '../../calls/store/call-runner.ts';
import type { Calls } from '../../calls/store/call-store.ts';
import type { Telemetry } from '@parley/telemetry';
import { LRUCache } from 'lru-cache';

/** A phone whose registration has ended. */
export interface LostPhone {
  readonly employeeId: string;
  readonly callId: string;
  /** The SIP address that it was rung at; null where only its presence lease has it. */
  readonly address: string | null;
}

/** Hangs up the legs that ring at a phone which is not registered any more: they would ring until their timeout. */
export async function hangUpLostPhone(
  deps: { calls: Calls; runner: CallRunner; presences: Pick<Presences, 'of' | 'companyOf'> },
  { employeeId, callId, ...lost }: LostPhone,
): Promise<void> {
  const { calls, runner, presences } = deps;
  const companyId = await presences.companyOf(employeeId);
  if (companyId === undefined) return;
  const leases = (await presences.of(companyId).get(employeeId))?.leases;
  const address = lost.address ?? leases?.find(({ contact }) => contact?.callId === callId)?.contact?.address;
  if (!address) return;
  // Up to its parameters, which the switch may write in another order.
  const [phone = address] = address.split(';');
  const active = await calls.activeFor(companyId, employeeId);
  for (const call of [...(await calls.offeredTo(companyId, employeeId)), ...(active ? [active] : [])]) {
    const legs = call.legs.filter((leg) => leg.employeeId === employeeId && leg.contact?.includes(phone));
    if (legs.length > 0) await runner.apply(call, { type: 'phone_lost', legIds: legs.map(({ id }) => id) });
  }
}

/** The oldest are forgotten, and would be logged again. */
const REMEMBERED_MAX = 10_000;

/** Logs and counts each registration that is not dialled once, however often the switch reports it. */
export function undialablePhones({ log, meter }: Pick<Telemetry, 'log' | 'meter'>) {
  const counter = meter.createCounter('parley_switch_undialable_registrations_total');
  const seen = new LRUCache<string, true>({ max: REMEMBERED_MAX });
  return (phone: { switchName: string; employeeId: string; callId: string }): void => {
    const { switchName, employeeId, callId } = phone;
    const key = `${switchName}/${employeeId}/${callId}`;
    if (seen.get(key)) return;
    seen.set(key, true);
    counter.add(1, { switch: switchName });
    // Not the contact: it is whatever the phone wrote.
    log.warn({ switch: switchName, employee_id: employeeId }, 'a phone registered with a contact that is not dialled');
  };
}
