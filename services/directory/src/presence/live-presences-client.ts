import { PresenceService } from '@parley/proto/call_control/v1/presence_pb';
import type { Channel } from '@parley/rpc';
import type { Logger } from '@parley/telemetry';
import { CANNOT_SAY, NEVER_SEEN, type Presence } from '../employees/employee-status.ts';
import { presenceFromProto } from './presence-proto.ts';

/** Presence as call-control knows it at this moment. */
export interface LivePresences {
  /** Of the given employees, or of all the company has. Never fails: who cannot be asked about is unknown. */
  now(companyId: string, employeeIds?: readonly string[]): Promise<(employeeId: string) => Presence>;
}

/** Far longer than an answer takes; a reader rather sees `unknown` than waits. */
const ANSWER_MS_MAX = 2000;
/** After silence nobody waits again for this long. */
const SILENT_MS = 1000;

export function livePresences(callControl: Channel, log: Logger): LivePresences {
  const client = callControl.client(PresenceService);
  let silentUntil = 0;
  return {
    async now(companyId, employeeIds = []) {
      if (performance.now() < silentUntil) return () => CANNOT_SAY;
      try {
        const request = { companyId, employeeIds: [...employeeIds] };
        const { presences } = await client.listPresences(request, { timeoutMs: ANSWER_MS_MAX });
        const known = new Map(presences.map((presence) => [presence.employeeId, presenceFromProto(presence)]));
        return (employeeId) => known.get(employeeId) ?? NEVER_SEEN;
      } catch (error) {
        silentUntil = performance.now() + SILENT_MS;
        log.warn({ err: error }, 'call-control cannot say who is there');
        return () => CANNOT_SAY;
      }
    },
  };
}
