import { PresenceService } from '@parley/proto/call_control/v1/presence_pb';
import type { Channel } from '@parley/rpc';
import type { Logger } from '@parley/telemetry';
import { CANNOT_SAY, NEVER_SEEN, type Presence } from '../employees/employee-status.ts';
import { presenceFromProto } from './presence-proto.ts';

/** Whose presence is which. */
export type PresenceOf = (employeeId: string) => Presence;

/** Presence as call-control knows it at this moment. */
export interface LivePresences {
  /** Of the given employees, or of all the company has. Never fails: who cannot be asked about is unknown. */
  now(companyId: string, employeeIds?: readonly string[]): Promise<PresenceOf>;
}

/** Far longer than an answer takes, also on a machine that is busy; a reader rather sees `unknown` than waits longer. */
const ANSWER_MS_MAX = 3000;
/** Once it has been silent, nobody waits longer than this until it speaks again. */
const SILENT_ANSWER_MS_MAX = 200;

const cannotSay: PresenceOf = () => CANNOT_SAY;

export function livePresences(callControl: Channel, log: Logger): LivePresences {
  const client = callControl.client(PresenceService);
  let silent = false;

  async function ask(companyId: string, employeeIds: readonly string[]): Promise<PresenceOf> {
    try {
      const request = { companyId, employeeIds: [...employeeIds] };
      const { presences } = await client.listPresences(request, { timeoutMs: ANSWER_MS_MAX });
      silent = false;
      const known = new Map(presences.map((presence) => [presence.employeeId, presenceFromProto(presence)]));
      return (employeeId) => known.get(employeeId) ?? NEVER_SEEN;
    } catch (error) {
      if (!silent) log.warn({ err: error }, 'call-control cannot say who is there');
      silent = true;
      return cannotSay;
    }
  }

  return {
    now(companyId, employeeIds = []) {
      const answer = ask(companyId, employeeIds);
      return silent ? within(SILENT_ANSWER_MS_MAX, answer) : answer;
    },
  };
}

async function within(limitMs: number, answer: Promise<PresenceOf>): Promise<PresenceOf> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<PresenceOf>((resolve) => (timer = setTimeout(resolve, limitMs, cannotSay)));
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
