import type { Clock } from '@parley/clock';
import type { Registrations } from '../presence/registrations.ts';
import type { RegisteredContact } from '../presence/presence.ts';
import type { Presences } from '../presence/presence-store.ts';
import type { SoftphoneSessions } from '../softphone-sessions/softphone-session-store.ts';

/** What following directory works with. */
export interface FollowerDeps {
  readonly presences: Presences;
  readonly softphoneSessions: SoftphoneSessions;
  /** Takes an employee out of their calls. */
  readonly leaveCalls: (companyId: string, employeeId: string) => Promise<void>;
  readonly registrations: Registrations;
  readonly clock: Clock;
  /** Removes a registration from a switch. */
  readonly dropRegistration: (employeeId: string, contact: RegisteredContact) => Promise<void>;
}
