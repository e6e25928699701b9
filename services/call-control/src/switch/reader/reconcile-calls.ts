import type { Clock } from '@parley/clock';
import { isUnreachable } from '@parley/mongo';
import type { Logger } from '@parley/telemetry';
import type { CallKey } from '../../calls/store/call-runner.ts';
import type { Call } from '../../calls/model/call.ts';
import type { CallInput } from '../../calls/model/call-input.ts';
import type { Arrival, LegSnapshot } from '../../calls/model/leg-event.ts';
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

/** Calls that are read, and whose legs are asked for, together. */
const CALLS_TOGETHER = 100;
/** Few writes at once, so that new calls are not delayed by those that only have to be compared. */
const WRITES_AT_ONCE = 16;
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
  for await (const together of inGroups(calls.openOn(deps.switch.name), CALLS_TOGETHER)) {
    count += together.length;
    const inputOf = await askForMissed(together, connection, coreUuid, legs);
    await forEach({ log, connection }, WRITES_AT_ONCE, together, async (call) => {
      if (await applyMissed(deps, call, inputOf(call))) changed += 1;
    });
  }
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
    if (call) {
      const inputOf = await askForMissed([call], connection, coreUuid, byId(listed));
      await applyMissed(deps, call, inputOf(call));
      return;
    }
    const leg = await readAndKeep(connection, legId);
    if (leg.kind === 'arrived') await takeArrival(deps, coreUuid, legId, leg.arrival);
    if (leg.kind === 'stray') await endStray(deps, legId);
  });
}

function byId(listed: readonly LegSnapshot[]): ReadonlyMap<string, LegSnapshot> {
  return new Map(listed.map((leg) => [leg.legId, leg]));
}

/** True when the call had missed something. */
async function applyMissed({ clock, legEvents }: ReconcileDeps, call: Call, input: CallInput): Promise<boolean> {
  // The call was read a moment ago: what would not have changed it then has been applied since.
  if (!isChangedBy(call, input, clock.now())) return false;
  await legEvents.apply(keyOf(call), input);
  return true;
}

/** Asks the switch about all legs of some calls with one round trip; what each of the calls has missed. */
async function askForMissed(
  calls: readonly Call[],
  connection: SocketConnection,
  coreUuid: string,
  listed: ReadonlyMap<string, LegSnapshot>,
): Promise<(call: Call) => CallInput> {
  const current = calls.filter((call) => call.switch.coreUuid === coreUuid);
  // A leg that is listed exists, although the process that ordered it may have ended before it stored that.
  const askedOf = ({ legs }: Call) =>
    legs.filter(({ id, status }) => status !== 'ordered' || listed.has(id)).map(({ id }) => id);
  const [existing] = await Promise.all([
    existingLegs(connection, current.flatMap(askedOf)),
    // The order to take it may be the command of a process that has ended, and is executed when its lease has expired.
    ...current.filter(isNew).map(({ customerLegId }) => cancelRelease(connection, customerLegId)),
  ]);
  return (call) => {
    const { name } = call.switch;
    if (call.switch.coreUuid !== coreUuid) return { type: 'switch_restarted', next: { name, coreUuid } };
    const asked = askedOf(call);
    return {
      type: 'reconciled',
      legs: asked.filter((id) => existing.has(id)).map((id) => listed.get(id) ?? unlisted(id)),
      gone: asked.filter((id) => !existing.has(id)),
    };
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
  const { calls, log } = deps;
  const known = new Set(await calls.openLegsOn(deps.switch.name));
  const unknown = listed.map(({ legId }) => legId).filter((legId) => !known.has(legId));
  const arrived: { legId: string; arrival: Arrival }[] = [];
  const stray: string[] = [];
  // All of them are read first: whoever has arrived is not released as busy while others are served.
  await forEach({ log, connection }, CALLS_TOGETHER, unknown, async (legId) => {
    const leg = await readAndKeep(connection, legId);
    if (leg.kind === 'stray') stray.push(legId);
    if (leg.kind === 'arrived') arrived.push({ legId, arrival: leg.arrival });
  });
  await forEach({ log, connection }, ARRIVALS_AT_ONCE, arrived, ({ legId, arrival }) =>
    takeArrival(deps, coreUuid, legId, arrival),
  );
  await forEach({ log, connection }, ARRIVALS_AT_ONCE, stray, (legId) => endStray(deps, legId));
}

/** Reads a leg without a call. A caller who has arrived is not released as busy from now on. */
async function readAndKeep(connection: SocketConnection, legId: string): ReturnType<typeof readUnknownLeg> {
  const leg = await readUnknownLeg(connection, legId);
  if (leg.kind === 'arrived') await cancelRelease(connection, legId);
  return leg;
}

async function takeArrival(deps: ReconcileDeps, coreUuid: string, legId: string, arrival: Arrival): Promise<void> {
  try {
    await deps.legEvents.handle({ type: 'leg_parked', legId, arrival }, { switch: deps.switch, coreUuid });
  } catch (error) {
    // Reconciliation is repeated when the database is back; otherwise nobody else would release the caller now.
    if (!isUnreachable(error)) await deps.switch.control(legId, [{ do: 'hang_up', legId, cause: 'USER_BUSY' }]);
    throw error;
  }
}

async function endStray({ switch: at, calls }: ReconcileDeps, legId: string): Promise<void> {
  // It may have been created since the calls were read.
  if (!(await calls.byLeg(legId))) await at.control(legId, [{ do: 'hang_up', legId, cause: 'NORMAL_CLEARING' }]);
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

/** Nothing is begun after the end of the connection, and what fails because of it is reconciled after the next one. */
async function forEach<Item>(
  { log, connection }: { log: Logger; connection: SocketConnection },
  atOnce: number,
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  const unlessEnded = (error: unknown) => {
    if (connection.isOpen || isUnreachable(error)) throw error;
  };
  const worker = async () => {
    for (let next = left.next(); !next.done && connection.isOpen; next = left.next()) {
      const { value } = next;
      await attempt(log, () => work(value).catch(unlessEnded));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

async function* inGroups<Item>(items: AsyncIterable<Item>, size: number): AsyncGenerator<Item[], void, undefined> {
  let group: Item[] = [];
  for await (const item of items) {
    if (group.push(item) < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
