import type { Clock } from '@parley/clock';
import { isUnreachable } from '@parley/mongo';
import type { Logger } from '@parley/telemetry';
import type { CallKey } from '../../calls/store/call-runner.ts';
import type { Call } from '../../calls/model/call.ts';
import type { CallInput } from '../../calls/model/call-input.ts';
import type { LegSnapshot } from '../../calls/model/leg-event.ts';
import { decideCall } from '../../calls/decide/decide-call.ts';
import type { Calls } from '../../calls/store/call-store.ts';
import type { LegEventHandler } from './leg-event-handler.ts';
import type { SocketConnection } from '../connection/socket-client.ts';
import type { Switch } from '../connection/switch-client.ts';
import { cancelRelease, existingLegs, readUnknownLeg } from '../connection/switch-state.ts';

export interface ReconcileDeps {
  readonly switch: Switch;
  readonly calls: Pick<Calls, 'openOn' | 'byLeg' | 'openLegsOn'>;
  readonly legEvents: Pick<LegEventHandler, 'apply' | 'handle'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Few calls at once, so that new ones are not delayed by those that only have to be compared. */
const CALLS_AT_ONCE = 8;
/** Callers who wait to be answered. */
const ARRIVALS_AT_ONCE = 32;

/**
 * Reconciles calls with the switch, whose event subscription started before. The list of legs is later than the truth in
 * both directions: whether a leg exists is asked for each one.
 */
export async function reconcileCalls(
  deps: ReconcileDeps,
  connection: SocketConnection,
  coreUuid: string,
  listed: readonly LegSnapshot[],
): Promise<void> {
  const { calls, log } = deps;
  const legs = byId(listed);
  let [count, changed] = [0, 0];
  await forEach(log, CALLS_AT_ONCE, calls.openOn(deps.switch.name), async (call) => {
    count += 1;
    if (await reconcileCall(deps, connection, coreUuid, legs, call)) changed += 1;
  });
  log.info({ switch: deps.switch.name, calls: count, changed, legs: legs.size }, 'calls reconciled with the switch');
}

/** Reconciles the call of one leg, or makes one of it. False when that failed. */
export async function reconcileLeg(
  deps: ReconcileDeps,
  connection: SocketConnection,
  coreUuid: string,
  listed: readonly LegSnapshot[],
  legId: string,
): Promise<boolean> {
  return attempt(deps.log, async () => {
    const call = await deps.calls.byLeg(legId);
    if (call) await reconcileCall(deps, connection, coreUuid, byId(listed), call);
    else await takeUnknownLeg(deps, connection, coreUuid, legId);
  });
}

function byId(listed: readonly LegSnapshot[]): ReadonlyMap<string, LegSnapshot> {
  return new Map(listed.map((leg) => [leg.legId, leg]));
}

/** True when the call had missed something. */
async function reconcileCall(
  { clock, legEvents }: ReconcileDeps,
  connection: SocketConnection,
  coreUuid: string,
  listed: ReadonlyMap<string, LegSnapshot>,
  call: Call,
): Promise<boolean> {
  const input = await missedInput(call, connection, coreUuid, listed);
  // The call was read a moment ago: what would not have changed it then has been applied since.
  if (!isChangedBy(call, input, clock.now())) return false;
  await legEvents.apply(keyOf(call), input);
  return true;
}

async function missedInput(
  call: Call,
  connection: SocketConnection,
  coreUuid: string,
  listed: ReadonlyMap<string, LegSnapshot>,
): Promise<CallInput> {
  const { name } = call.switch;
  if (call.switch.coreUuid !== coreUuid) return { type: 'switch_restarted', next: { name, coreUuid } };
  // The order to take it may be the command of a process that has ended, and is executed when its lease has expired.
  if (isNew(call)) await cancelRelease(connection, call.customerLegId);
  // A leg that is listed exists, although the process that ordered it may have ended before it stored that.
  const asked = call.legs.filter(({ id, status }) => status !== 'ordered' || listed.has(id)).map(({ id }) => id);
  const existing = await existingLegs(connection, asked);
  return {
    type: 'reconciled',
    legs: asked.filter((id) => existing.has(id)).map((id) => listed.get(id) ?? unlisted(id)),
    gone: asked.filter((id) => !existing.has(id)),
  };
}

/** The caller has not been answered yet: the switch may be about to release the call as busy. */
function isNew({ direction, legs, customerLegId }: Call): boolean {
  return direction === 'inbound' && legs.some(({ id, status }) => id === customerLegId && status !== 'answered');
}

/** It exists, and nothing else is known of it. */
function unlisted(legId: string): LegSnapshot {
  return { legId, isAnswered: false, application: null, applicationData: '', memberId: null };
}

function isChangedBy(call: Call, input: CallInput, now: Date): boolean {
  const decision = decideCall(call, input, now);
  return !decision.ok || decision.state !== call || Object.keys(decision.timers).length > 0;
}

/** Creates calls for legs that arrived while no process read the switch, and hangs up legs without a call. */
export async function takeUnknownLegs(
  deps: ReconcileDeps,
  connection: SocketConnection,
  coreUuid: string,
  listed: readonly LegSnapshot[],
): Promise<void> {
  const known = new Set(await deps.calls.openLegsOn(deps.switch.name));
  const unknown = listed.map(({ legId }) => legId).filter((legId) => !known.has(legId));
  await forEach(deps.log, ARRIVALS_AT_ONCE, unknown, (legId) => takeUnknownLeg(deps, connection, coreUuid, legId));
}

async function takeUnknownLeg(
  { switch: at, calls, legEvents }: ReconcileDeps,
  connection: SocketConnection,
  coreUuid: string,
  legId: string,
): Promise<void> {
  const leg = await readUnknownLeg(connection, legId);
  if (leg.kind === 'arrived')
    await legEvents.handle({ type: 'leg_parked', legId, arrival: leg.arrival }, { switch: at, coreUuid });
  // It may have been created since the calls were read.
  if (leg.kind === 'stray' && !(await calls.byLeg(legId)))
    await at.control(legId, [{ do: 'hang_up', legId, cause: 'NORMAL_CLEARING' }]);
}

export function keyOf({ companyId, id }: Call): CallKey {
  return { companyId, id };
}

/** A failure of one does not stop the others, except when the database is unreachable. False when it has failed. */
export async function attempt(log: Logger, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isUnreachable(error)) throw error;
    log.error({ err: error }, 'a call could not be changed');
    return false;
  }
}

async function forEach<Item>(
  log: Logger,
  atOnce: number,
  items: AsyncIterable<Item> | Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const all = (async function* () {
    yield* items;
  })();
  const worker = async () => {
    for await (const item of all) await attempt(log, () => work(item));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
