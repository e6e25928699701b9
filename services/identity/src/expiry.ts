import type { BackgroundWork, Clock } from '@parley/clock';
import { startExpirySweep } from '@parley/store';
import type { Logger } from '@parley/telemetry';
import type { Devices } from './devices/device-store.ts';
import type { Grants } from './grants/grant-store.ts';
import type { OAuthClients } from './oauth-clients/oauth-client-store.ts';
import type { ResetRequests } from './password-resets/reset-request-store.ts';
import type { Sessions } from './sessions/session-store.ts';
import type { Throttles } from './throttles/throttle-store.ts';

const EVERY_MS = 10 * 60 * 1000;

/** Clears away what is past its time. Everything is refused by its own date already: this only saves space. */
export function startExpiry(
  stores: {
    sessions: Sessions;
    grants: Grants;
    clients: OAuthClients;
    devices: Devices;
    throttles: Throttles;
    resetRequests: ResetRequests;
  },
  { clock, backgroundWork, log }: { clock: Clock; backgroundWork: BackgroundWork; log: Logger },
): { stop(): Promise<void> } {
  const common = { everyMs: EVERY_MS, backgroundWork, log };
  const past = () => ({ expiresAt: { $lte: clock.now() } });
  // An aggregate whose last event is still inside waits for the relay.
  const pastAndSaid = () => ({ ...past(), _pendingSince: { $exists: false } });
  const sweeps = [
    startExpirySweep({ collection: stores.sessions.collection as never, expired: pastAndSaid as never, ...common }),
    startExpirySweep({ collection: stores.grants.collection as never, expired: pastAndSaid as never, ...common }),
    startExpirySweep({ collection: stores.devices.collection, expired: past, ...common }),
    startExpirySweep({ collection: stores.throttles.collection, expired: past, ...common }),
    startExpirySweep({ collection: stores.resetRequests.collection, expired: past, ...common }),
    startExpirySweep({
      collection: stores.clients.collection,
      expired: () => ({ forgetAt: { $lte: clock.now() } }),
      ...common,
    }),
  ];
  return { stop: async () => void (await Promise.all(sweeps.map((sweep) => sweep.stop()))) };
}
