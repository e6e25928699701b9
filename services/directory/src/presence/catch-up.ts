import { setTimeout as sleep } from 'node:timers/promises';
import type { Employees } from '../employees/employee-store.ts';
import type { Presence } from '../employees/employee-status.ts';
import type { LivePresences } from './live-presences-client.ts';

/** Many times what a message takes; whoever waited this long in vain knows the last change only. */
const WAIT_MAX_MS = 1000;
const LOOK_EVERY_MS = 10;

/**
 * What call-control says of an employee just now, once its messages up to that have been heard here: a decision made
 * before that would pass over changes that happened, and are to be told, before it.
 */
export async function caughtUpPresence(
  { employees, presences }: { employees: Employees; presences: LivePresences },
  companyId: string,
  employeeId: string,
): Promise<Presence> {
  const heard = (await presences.now(companyId, [employeeId]))(employeeId);
  const until = performance.now() + WAIT_MAX_MS;
  while (performance.now() < until) {
    const known = (await employees.of(companyId).get(employeeId))?.presence;
    if (!known || known.version >= heard.version) break;
    await sleep(LOOK_EVERY_MS);
  }
  return heard;
}
