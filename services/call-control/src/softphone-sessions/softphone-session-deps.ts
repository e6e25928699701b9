import type { Clock } from '@parley/clock';
import type { Encryptor } from '@parley/secrets';
import type { Registrations } from '../presence/registrations.ts';
import type { RegisteredContact } from '../presence/presence.ts';
import type { SoftphoneSessions } from './softphone-session-store.ts';

/** The registration settings of phones. */
export interface SipSettings {
  readonly domain: string;
  readonly websocketUrl: string;
  readonly iceServers: readonly { urls: string[]; username?: string | undefined; credential?: string | undefined }[];
}

/** What the RPCs of softphone sessions work with. */
export interface SoftphoneSessionDeps {
  readonly softphoneSessions: SoftphoneSessions;
  readonly registrations: Registrations;
  readonly encryptor: Encryptor;
  readonly clock: Clock;
  readonly sip: SipSettings;
  /** Removes a registration from a switch. A failure does not fail the revocation: the phone cannot refresh. */
  readonly dropRegistration: (employeeId: string, contact: RegisteredContact) => Promise<void>;
}
