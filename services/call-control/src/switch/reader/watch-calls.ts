import { setTimeout as sleep } from 'node:timers/promises';
import type { LegSnapshot } from '../../calls/model/leg-event.ts';
import { attempt, keyOf, reconcileCalls, type ReconcileDeps, takeUnknownLegs } from './reconcile-calls.ts';
import type { SocketConnection } from '../connection/socket-client.ts';
import { existingLegs, readLegs } from '../connection/switch-state.ts';

interface WatchDeps extends ReconcileDeps {
  readonly legEvents: ReconcileDeps['legEvents'] & { readonly handled: number };
  /** Counts legs whose end was only found by looking for them. */
  readonly onRepaired: (legs: number) => void;
  /** The switch has no open call as long as `handled` is this. */
  readonly onIdle: (handled: number) => void;
}

/** After a connect, and between two looks. The list of legs may be late by seconds, and callers wait for 15 s. */
const LIST_AGAIN_MS = [1000, 2000, 5000];
/** Two looks must find a leg missing, so that no call is open without a leg for longer than 10 s. */
const LOOK_EVERY_MS = 4000;

/**
 * Finds what was missed around a connect because the switch's list was late, then makes sure that the legs of open calls exist.
 * Events report the end of legs; a leg that is missing twice without such a report has its end repaired here.
 */
export async function watchCalls(deps: WatchDeps, connection: SocketConnection, coreUuid: string): Promise<void> {
  for (const waitMs of LIST_AGAIN_MS) {
    await Promise.race([sleep(waitMs, undefined, { ref: false }), connection.ended]);
    if (!connection.isOpen) return;
    const listed = (await readLegs(connection)).map(lasting);
    await takeUnknownLegs(deps, connection, coreUuid, listed);
    await reconcileCalls(deps, connection, coreUuid, listed);
  }
  let missing: ReadonlySet<string> = new Set();
  let idleAt = -1;
  while (connection.isOpen) {
    const { handled } = deps.legEvents;
    // Without an open call, and without an event since: nothing is asked.
    if (handled !== idleAt) {
      const looked = await endMissingLegs(deps, connection, missing);
      missing = looked.missing;
      idleAt = looked.isIdle ? handled : -1;
      deps.onIdle(idleAt);
    }
    await Promise.race([sleep(LOOK_EVERY_MS, undefined, { ref: false }), connection.ended]);
  }
}

/** The lasting part of a snapshot: the executed application has changed since the list was written, and events have reported it. */
function lasting(leg: LegSnapshot): LegSnapshot {
  return { ...leg, application: null, applicationData: '', memberId: null };
}

/** Ends legs that were missing at the last look and still are. */
export async function endMissingLegs(
  deps: WatchDeps,
  connection: SocketConnection,
  missingBefore: ReadonlySet<string>,
): Promise<{ missing: ReadonlySet<string>; isIdle: boolean }> {
  const { calls, legEvents, onRepaired, log } = deps;
  const legIds = await calls.openLegsOn(deps.switch.name);
  if (legIds.length === 0) return { missing: new Set(), isIdle: true };
  const existing = await existingLegs(connection, legIds);
  const missing = new Set(legIds.filter((legId) => !existing.has(legId)));
  for (const legId of missing) {
    const call = missingBefore.has(legId) ? await calls.byLeg(legId) : undefined;
    // One that was ordered is left to the command that creates it.
    if (!call || call.legs.some(({ id, status }) => id === legId && status === 'ordered')) continue;
    log.warn({ switch: deps.switch.name, call: call.id, leg: legId }, 'the switch does not have a leg of an open call');
    const end = () => legEvents.apply(keyOf(call), { type: 'reconciled', legs: [], gone: [legId] });
    if (await attempt(log, end)) onRepaired(1);
  }
  return { missing, isIdle: false };
}
