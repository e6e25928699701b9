import type { BackgroundWork, Clock } from '@parley/clock';
import type { Logger } from '@parley/telemetry';
import type { DeviceAuthorizations } from './device-authorizations/device-authorization-store.ts';
import type { Devices } from './devices/device-store.ts';
import type { Grants } from './grants/grant-store.ts';
import type { OAuthClients } from './oauth-clients/oauth-client-store.ts';
import type { ResetRequests } from './password-resets/reset-request-store.ts';
import type { Sessions } from './sessions/session-store.ts';
import type { Throttles } from './throttles/throttle-store.ts';

const EVERY_MS = 10 * 60 * 1000;

/** Removes what has expired. Everything is refused by its own date already: this only saves space. */
export function startExpiry(
  stores: {
    sessions: Sessions;
    grants: Grants;
    clients: OAuthClients;
    devices: Devices;
    deviceAuthorizations: DeviceAuthorizations;
    throttles: Throttles;
    resetRequests: ResetRequests;
  },
  { clock, backgroundWork, log }: { clock: Clock; backgroundWork: BackgroundWork; log: Logger },
): { stop(): Promise<void> } {
  const common = { everyMs: EVERY_MS, backgroundWork, log };
  const expired = () => ({ expiresAt: { $lte: clock.now() } });
  const sweeps = [
    stores.sessions.startExpiry({ expired, ...common }),
    stores.grants.startExpiry({ expired, ...common }),
    stores.devices.startExpiry({ expired, ...common }),
    stores.resetRequests.startExpiry({ expired, ...common }),
    stores.clients.startExpiry({ expired: () => ({ forgetAt: { $lte: clock.now() } }), ...common }),
    stores.deviceAuthorizations.startExpiry({ expired: () => ({ removeAt: { $lte: clock.now() } }), ...common }),
    stores.throttles.startExpiry(common),
  ];
  return { stop: async () => void (await Promise.all(sweeps.map((sweep) => sweep.stop()))) };
}
