import { setTimeout as sleep } from 'node:timers/promises';
import { notFound, refusal, Refused } from '@parley/errors';
import type { Call } from '../../calls/model/call.ts';
import type { Calls } from '../../calls/store/call-store.ts';
import type { Switches } from '../connection/switch-client.ts';
import type { CallKey } from '../../calls/store/call-runner.ts';

/** The switch confirms within milliseconds, or fails; another replica may receive the event. */
const FIRST_POLL_MS = 15;
const POLL_MS_MAX = 250;

export const unreachable = refusal(
  'esl_unreachable',
  'the switch cannot be reached; fetch the active call before trying again',
);

export function isReachable(switches: Switches, name: string): boolean {
  try {
    return switches.get(name).isReachable;
  } catch {
    return false;
  }
}

/** The call once it is as an employee ordered it; undefined when the switch does not confirm that in time. */
export async function awaitSwitch(
  calls: Calls,
  { companyId, id }: CallKey,
  isConfirmed: (call: Call) => boolean,
  limitMs: number,
): Promise<Call | undefined> {
  const deadline = performance.now() + limitMs;
  for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(pollMs * 1.5, POLL_MS_MAX)) {
    const call = await calls.of(companyId).get(id);
    if (!call) throw new Refused(notFound);
    if (isConfirmed(call)) return call;
    if (performance.now() > deadline) return undefined;
    await sleep(pollMs);
  }
}
