import { isUnreachable } from '@parley/store';
import type { Logger } from '@parley/telemetry';
import type { CallKey } from '../call-runtime/call-runner.ts';
import type { Calls } from '../calls/store/call-store.ts';
import type { LegEventHandler } from './leg-event-handler.ts';
import type { SocketConnection } from '../switch/socket-client.ts';
import type { Switch } from '../switch/switch-client.ts';
import type { LegSnapshot } from '../calls/model/leg-event.ts';
import { readLegs, readUnknownLeg } from '../switch/switch-state.ts';

export interface ReconcileDeps {
  readonly switch: Switch;
  readonly calls: Pick<Calls, 'openOn' | 'byLeg'>;
  readonly legEvents: LegEventHandler;
  readonly log: Logger;
}

/** Calls and legs at the same time: each is a write, and writes are sent together. */
const AT_ONCE = 32;

/**
 * Reconciles calls with the switch; the legs on it that belong to none. The event subscription started before the state
 * is queried.
 */
export async function reconcileCalls(
  deps: ReconcileDeps,
  connection: SocketConnection,
  coreUuid: string,
): Promise<readonly string[]> {
  const { calls, legEvents, log } = deps;
  const legs = new Map((await readLegs(connection)).map((leg) => [leg.legId, leg]));
  const known = new Set<string>();
  let count = 0;
  await forEach(log, calls.openOn(deps.switch.name), async (call) => {
    count += 1;
    for (const legId of call.legIds) known.add(legId);
    const key: CallKey = { companyId: call.companyId, id: call.id };
    if (call.switch.coreUuid !== coreUuid) await legEvents.apply(key, { type: 'switch_restarted' });
    else await legEvents.apply(key, { type: 'reconciled', legs: snapshotsOf(call.legIds, legs) });
  });
  log.info({ switch: deps.switch.name, calls: count, legs: legs.size }, 'calls reconciled with the switch');
  return [...legs.keys()].filter((legId) => !known.has(legId));
}

/** Creates calls for legs that arrived while no process read the switch, and hangs up legs without a call. */
export async function takeUnknownLegs(
  deps: ReconcileDeps,
  connection: SocketConnection,
  coreUuid: string,
  legIds: readonly string[],
): Promise<void> {
  await forEach(deps.log, legIds, async (legId) => {
    const leg = await readUnknownLeg(connection, legId);
    if (leg.kind === 'arrived')
      await deps.legEvents.handle(
        { type: 'leg_parked', legId, arrival: leg.arrival },
        { switch: deps.switch, coreUuid },
      );
    // It may have been created since the calls were read.
    if (leg.kind === 'stray' && !(await deps.calls.byLeg(legId)))
      await deps.switch.control(legId, [{ do: 'hang_up', legId, cause: 'NORMAL_CLEARING' }]);
  });
}

/** A failure does not stop the others, except when the database is unreachable. */
async function forEach<Item>(
  log: Logger,
  items: AsyncIterable<Item> | Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const all = (async function* () {
    yield* items;
  })();
  const worker = async () => {
    for await (const item of all) {
      try {
        await work(item);
      } catch (error) {
        if (isUnreachable(error)) throw error;
        log.error({ err: error }, 'a call could not be reconciled with the switch');
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

function snapshotsOf(legIds: readonly string[], legs: ReadonlyMap<string, LegSnapshot>): readonly LegSnapshot[] {
  return legIds.flatMap((legId) => legs.get(legId) ?? []);
}
