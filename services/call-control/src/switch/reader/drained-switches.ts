import type { Logger } from '@parley/telemetry';
import { hasNoLeg } from '../../calls/decide/callback.ts';
import type { CallRunner } from '../../calls/store/call-runner.ts';
import type { Calls } from '../../calls/store/call-store.ts';
import type { Switch } from '../connection/switch-client.ts';
import { attempt } from './reconcile-calls.ts';

/** Moves callbacks away from switches that take no new calls: they may wait for hours, and need nothing of their switch until then. */
export interface DrainedSwitches {
  sweep(): Promise<void>;
}

export function drainedSwitches(deps: {
  calls: Pick<Calls, 'openOn'>;
  runner: Pick<CallRunner, 'apply'>;
  switches: readonly Pick<Switch, 'name' | 'isReachable' | 'isDraining' | 'coreUuid'>[];
  /** This process reads the switch. */
  isOwner: (name: string) => boolean;
  log: Logger;
}): DrainedSwitches {
  const { calls, runner, switches, isOwner, log } = deps;

  async function move(name: string): Promise<void> {
    const other = switches.find(({ isReachable, isDraining }) => isReachable && !isDraining);
    const coreUuid = await other?.coreUuid();
    if (!other || coreUuid === undefined) return;
    const next = { name: other.name, coreUuid };
    for await (const call of calls.openOn(name))
      if (hasNoLeg(call)) await attempt(log, () => runner.apply(call, { type: 'switch_drained', next }));
  }

  return {
    async sweep() {
      for (const { name, isDraining } of switches) if (isDraining && isOwner(name)) await move(name);
    },
  };
}
