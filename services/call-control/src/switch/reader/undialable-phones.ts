import type { Telemetry } from '@parley/telemetry';
import { LRUCache } from 'lru-cache';

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
