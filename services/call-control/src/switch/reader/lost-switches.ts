import type { Clock } from '@parley/clock';
import type { Logger } from '@parley/telemetry';
import type { Switch } from '../connection/switch-client.ts';
import type { SwitchReference } from '../../calls/model/call.ts';
import type { CallRunner } from '../../calls/store/call-runner.ts';
import type { Calls } from '../../calls/store/call-store.ts';
import { attempt } from './reconcile-calls.ts';
import type { SwitchContact, SwitchContacts } from './switch-store.ts';

/** Ends the calls of switches that stay unreachable. */
export interface LostSwitches {
  sweep(): Promise<void>;
}

/** Without a listener the switch process has ended; one that restarts a module listens again sooner. */
const REFUSED_MS = 4000;
/** A little more than the interval of the lease of a switch, with which its owner notes the contact. */
const NOTE_AFTER_MS = 2200;

/**
 * A switch that is reachable again is reconciled. One that has been unreachable for `lostMs` is considered lost:
 * its calls end, and legs that are found on it later belong to no call and are hung up. A process that has just started
 * cannot know whether the switch or the process was away, so it waits as long first. Where the machine responds
 * and nothing listens, the switch has ended with its calls, which is detected much sooner.
 */
export function createLostSwitches(deps: {
  contacts: SwitchContacts;
  calls: Pick<Calls, 'openOn'>;
  runner: Pick<CallRunner, 'apply'>;
  switches: readonly Pick<Switch, 'name' | 'isReachable' | 'isDraining' | 'refusedSince' | 'coreUuid'>[];
  lostMs: number;
  machineClock: Clock;
  log: Logger;
}): LostSwitches {
  const { contacts, calls, runner, switches, lostMs, machineClock, log } = deps;
  const startedAt = machineClock.now();
  /** No contact can be too old before this time: contacts only become later. */
  let noneLostUntilMs = 0;

  async function note(now: Date): Promise<void> {
    for (const { name } of switches.filter(({ isReachable }) => isReachable)) {
      const notedAt = contacts.notedAt(name)?.getTime() ?? 0;
      if (now.getTime() - notedAt >= NOTE_AFTER_MS) await contacts.reached(name);
    }
  }

  async function endCalls({ id: name, reachedAt }: SwitchContact): Promise<void> {
    let count = 0;
    const next = await anotherSwitch(name);
    for await (const { companyId, id } of calls.openOn(name)) {
      // Reached again in the meantime, by any process: this call may have arrived since, and the others are reconciled.
      if ((await contacts.get(name))?.reachedAt.getTime() !== reachedAt.getTime()) break;
      const end = () => runner.apply({ companyId, id }, { type: 'switch_lost', ...(next && { next }) });
      if (await attempt(log, end)) count += 1;
    }
    if (count > 0) log.error({ switch: name, calls: count }, 'calls ended: their switch stays unreachable');
  }

  /** Calls without a leg continue on another switch. */
  async function anotherSwitch(lost: string): Promise<SwitchReference | undefined> {
    const other = switches.find(({ name, isReachable, isDraining }) => isReachable && !isDraining && name !== lost);
    const coreUuid = await other?.coreUuid().catch(() => undefined);
    return other && coreUuid !== undefined ? { name: other.name, coreUuid } : undefined;
  }

  return {
    async sweep() {
      const now = machineClock.now();
      await note(now);
      const refusedBefore = new Date(now.getTime() - REFUSED_MS);
      for (const { name, refusedSince } of switches) {
        if (!refusedSince || refusedSince > refusedBefore) continue;
        // Another process may have a connection that was made before.
        const contact = await contacts.get(name);
        if (contact && contact.reachedAt < refusedBefore) await endCalls(contact);
      }
      const before = new Date(now.getTime() - lostMs);
      if (startedAt > before || now.getTime() < noneLostUntilMs) return;
      let isAnyLost = false;
      for await (const contact of contacts.reachedBefore(before)) {
        isAnyLost = true;
        await endCalls(contact);
      }
      if (!isAnyLost) noneLostUntilMs = ((await contacts.oldest()) ?? now).getTime() + lostMs;
    },
  };
}
