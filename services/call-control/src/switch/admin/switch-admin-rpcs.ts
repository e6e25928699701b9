import { notFound, Refused } from '@parley/errors';
import { SwitchAdminService } from '@parley/proto/call_control/v1/switches_pb';
import { operators, type RpcServer } from '@parley/rpc';
import type { Calls } from '../../calls/store/call-store.ts';
import type { Presences } from '../../presence/presence-store.ts';
import type { Switch, Switches } from '../connection/switch-client.ts';
import type { SwitchDrains } from '../reader/switch-store.ts';

export interface SwitchAdminDeps {
  readonly switches: Switches;
  readonly drains: SwitchDrains;
  readonly calls: Pick<Calls, 'countOpenOn'>;
  readonly presences: Pick<Presences, 'countRegisteredAt'>;
}

export function addSwitchAdminService(server: RpcServer, deps: SwitchAdminDeps): void {
  const { switches, drains, calls, presences } = deps;

  async function show({ name, isReachable: reachable, isDraining: draining }: Switch) {
    const [openCalls, employees] = await Promise.all([calls.countOpenOn(name), presences.countRegisteredAt(name)]);
    return { name, reachable, draining, openCalls, employees };
  }

  server.add(SwitchAdminService, operators, {
    listSwitches: async () => ({ switches: await Promise.all(switches.all.map(show)) }),
    async drainSwitch({ name, draining }) {
      const found = switches.all.find((one) => one.name === name);
      if (!found) throw new Refused(notFound);
      await drains.set(name, draining);
      return { switch: await show(found) };
    },
  });
}
