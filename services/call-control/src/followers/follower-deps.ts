import type { RegisteredContact } from '../presence/presence.ts';
import type { Presences } from '../presence/presence-store.ts';
import type { SoftphoneSessions } from '../softphone-sessions/softphone-session-store.ts';

/** What following directory works with. */
export interface FollowerDeps {
  readonly presences: Presences;
  readonly softphoneSessions: SoftphoneSessions;
  /** Tells a switch to drop a registration. */
  readonly dropRegistration: (contact: RegisteredContact) => Promise<void>;
}
