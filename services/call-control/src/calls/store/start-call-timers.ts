import { decideCall } from '../decide/decide-call.ts';
import { CALL_TIMERS } from '../model/call-command.ts';
import type { Calls } from './call-store.ts';

/** `mayFire` decides by the switch of a call whether its timers may fire in this process. */
export function startCallTimers(
  calls: Calls,
  mayFire: (switchName: string) => boolean,
): ReturnType<Calls['startTimers']> {
  const handlers = Object.fromEntries(
    CALL_TIMERS.map((name) => [name, (call, now) => decideCall(call, { type: 'timer', name }, now)]),
  ) as Parameters<Calls['startTimers']>[0];
  return calls.startTimers(handlers, { mayFire: (call) => mayFire(call.switch.name) });
}
