import type { PresenceSessions } from './presence-sessions.ts';
import type { SoftphoneUser } from './softphones.ts';

/** What a phone's coming and going means to call-control. */
export interface PhonePresence {
  cameOnline(user: SoftphoneUser): Promise<void>;
  wentOffline(user: SoftphoneUser): Promise<void>;
}

/** By sessions that call-control is told of directly. */
export function presenceBySessions(sessions: PresenceSessions): PhonePresence {
  return {
    cameOnline: ({ employeeId }) => sessions.goOnline(employeeId),
    wentOffline: ({ employeeId }) => sessions.goOffline(employeeId),
  };
}
