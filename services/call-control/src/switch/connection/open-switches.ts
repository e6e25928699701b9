import { randomUUID } from 'node:crypto';
import { systemClock } from '@parley/clock';
import type { ServiceRuntime } from '@parley/service';
import { switchClient, switchesByName } from './switch-client.ts';
import { drainingSwitches } from './draining-switches.ts';
import { openSwitchLink } from './switch-link-client.ts';
import type { SwitchSettings } from './switch-settings.ts';

/** The configured switches, each with a connection for the commands of this process. */
export type ConnectedSwitches = ReturnType<typeof openSwitches>;

const COMMAND_SUBSCRIPTION = 'BACKGROUND_JOB';

export function openSwitches(
  { lifecycle, telemetry }: ServiceRuntime,
  settings: { switches: readonly SwitchSettings[]; httpUrl: string; sipDomain: string },
) {
  const { switches, httpUrl, sipDomain } = settings;
  const { log, meter } = telemetry;
  const listeners: (() => void)[] = [];
  const draining = drainingSwitches(switches);
  const all = switches.map(({ name, address, recordingsDir, trunk }) => {
    const link = openSwitchLink({
      name,
      address,
      subscription: COMMAND_SUBSCRIPTION,
      machineClock: systemClock,
      log,
      onUp: async () => listeners.forEach((listener) => listener()),
    });
    lifecycle.defer(`link to switch ${name}`, () => link.stop());
    lifecycle.addCheck({ name: `switch ${name}`, optional: true, check: () => link.isUp });
    return switchClient({
      name,
      link,
      mediaUrls: { httpUrl, recordingsDir },
      sipDomain,
      trunkAddress: trunk,
      isDraining: () => draining.has(name),
      newJobId: randomUUID,
    });
  });
  // 1 while a switch can be reached; the alert is on 0.
  meter
    .createObservableGauge('parley_switch_reachable')
    .addCallback((result) =>
      all.forEach(({ name, isReachable }) => result.observe(isReachable ? 1 : 0, { switch: name })),
    );
  meter
    .createObservableGauge('parley_switch_draining')
    .addCallback((result) =>
      all.forEach(({ name, isDraining }) => result.observe(isDraining ? 1 : 0, { switch: name })),
    );
  return {
    ...switchesByName(all),
    draining,
    /** The listener is called after every connect to a switch. */
    onConnected: (listener: () => void) => void listeners.push(listener),
  };
}
