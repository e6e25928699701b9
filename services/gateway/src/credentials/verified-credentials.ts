import { type Broker, decodeEvent, decodeMessage } from '@parley/events';
import type { EmployeePrincipal } from '@parley/rpc';

/** Asks identity who a credential is; undefined for nobody. */
export type VerifyCredential = (credential: string) => Promise<EmployeePrincipal | undefined>;

interface Remembered {
  readonly caller: Promise<EmployeePrincipal | undefined>;
  readonly until: number;
}

/** A revocation is to be seen everywhere within a second, even by a gateway that hears of nothing. */
const REMEMBERED_MS = 1000;
const REMEMBERED_MAX = 10_000;

/** What identity last said about each credential. */
export interface VerifiedCredentials {
  verify(credential: string): Promise<EmployeePrincipal | undefined>;
  /** Forgets a credential, or with no id everything an employee has. */
  forget(revoked: { credentialId: string; employeeId: string }): void;
  forgetAll(): void;
}

/** Remembers answers for a moment; many requests at once with one credential ask once. */
export function rememberCredentials(
  ask: VerifyCredential,
  now: () => number = () => performance.now(),
): VerifiedCredentials {
  const remembered = new Map<string, Remembered>();
  return {
    verify(credential) {
      const known = remembered.get(credential);
      if (known && known.until > now()) return known.caller;
      if (remembered.size >= REMEMBERED_MAX) remembered.clear();
      const caller = ask(credential);
      const entry = { caller, until: now() + REMEMBERED_MS };
      remembered.set(credential, entry);
      const drop = () => remembered.get(credential) === entry && remembered.delete(credential);
      caller.then((answer) => answer ?? drop(), drop);
      return caller;
    },
    forget({ credentialId, employeeId }) {
      for (const [credential, { caller }] of remembered) {
        void caller.then((known) => {
          if (
            known &&
            (known.credentialId === credentialId || (credentialId === '' && known.employeeId === employeeId))
          )
            remembered.delete(credential);
        });
      }
    },
    forgetAll: () => remembered.clear(),
  };
}

/** Drops what identity revokes the moment it says so. Every replica listens for itself, so this is no shared consumer. */
export function forgetRevoked(broker: Broker, credentials: VerifiedCredentials): void {
  broker.connection.subscribe(broker.eventPattern('identity.credential.revoked'), {
    callback: (error, message) => {
      if (!error) credentials.forget(decodeMessage('identity.credential.revoked', decodeEvent(message.data).data));
    },
  });
  broker.onReconnect(() => credentials.forgetAll());
}
