import { setTimeout as sleep } from 'node:timers/promises';
import type { PhoneRegistrationService } from '@parley/proto/call_control/v1/presence_pb';
import type { RpcClient } from '@parley/rpc';

/** Tells when call-control has processed a phone's registration. */
export interface PhonePresence {
  /** Resolves when presence counts the registration (`isRegistered`), or no longer counts it. */
  untilApplied(employeeId: string, callId: string, isRegistered: boolean): Promise<void>;
}

/** The time limit, because a switch may be unreachable for call-control. */
const WAIT_MAX_MS = 5000;
const LOOK_EVERY_MS = 20;

export function phonePresence(
  registrations: Pick<RpcClient<typeof PhoneRegistrationService>, 'listPhoneRegistrations'>,
  waitMaxMs = WAIT_MAX_MS,
): PhonePresence {
  return {
    async untilApplied(employeeId, callId, isRegistered) {
      for (const until = performance.now() + waitMaxMs; performance.now() < until; await sleep(LOOK_EVERY_MS)) {
        const { callIds } = await registrations.listPhoneRegistrations({ employeeId });
        if (callIds.includes(callId) === isRegistered) return;
      }
    },
  };
}
