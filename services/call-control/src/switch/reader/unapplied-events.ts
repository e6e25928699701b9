import { setTimeout as sleep } from 'node:timers/promises';
import { isUnreachable } from '@parley/mongo';
import { counterFromZero, redactText, type Telemetry } from '@parley/telemetry';
import { type Db, MongoServerError } from 'mongodb';
import type { SocketConnection } from '../connection/socket-client.ts';
import type { SwitchEvent } from '../connection/read-switch-event.ts';
import { readLegs } from '../connection/switch-state.ts';
import { reconcileLeg, type ReconcileDeps } from './reconcile-calls.ts';

/** An event of a switch that could not be applied. It has nothing of what the event said: its effect is found on the switch. */
interface UnappliedEvent {
  readonly at: Date;
  readonly switch: string;
  readonly event: SwitchEvent['type'];
  readonly legId: string | null;
  readonly reason: string;
}

/** Sets events aside that could not be applied. */
export type SetAside = (switchName: string, event: SwitchEvent, reason: unknown) => Promise<void>;

const COLLECTION = 'unapplied_switch_events';
/** The oldest are replaced. */
const KEPT = { capped: true, size: 1_000_000, max: 1000 };
const REASON_MAX = 500;
const REPAIR_EVERY_MS = 1000;
/** Legs that do not exist any more are looked for after that as well, with those of all open calls. */
const ATTEMPTS_MAX = 5;

export async function openUnappliedEvents(
  db: Db,
  switches: readonly string[],
  { log, meter }: Pick<Telemetry, 'log' | 'meter'>,
): Promise<SetAside> {
  await db.createCollection(COLLECTION, KEPT).catch((error: unknown) => {
    if (!(error instanceof MongoServerError) || error.codeName !== 'NamespaceExists') throw error;
  });
  const collection = db.collection<UnappliedEvent>(COLLECTION);
  const counter = counterFromZero(
    meter,
    'parley_switch_events_unapplied_total',
    switches.map((name) => ({ switch: name })),
  );
  return async (switchName, event, reason) => {
    const legId = legOf(event);
    counter.add(1, { switch: switchName });
    log.error(
      { err: reason, switch: switchName, event: event.type, leg: legId },
      'an event of the switch was set aside',
    );
    const text = redactText(reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason));
    const kept = { at: new Date(), switch: switchName, event: event.type, legId, reason: text.slice(0, REASON_MAX) };
    await collection.insertOne(kept).catch((error: unknown) => {
      if (isUnreachable(error)) throw error;
      log.error({ err: error, switch: switchName }, 'an event that was set aside could not be stored');
    });
  };
}

export function legOf(event: SwitchEvent): string | null {
  return 'legId' in event ? event.legId : null;
}

/** Compares the calls of these legs with the switch until that has succeeded, a few times at most; adding one again begins anew. */
export async function repairCalls(
  deps: ReconcileDeps,
  connection: SocketConnection,
  coreUuid: string,
  legs: Map<string, number>,
): Promise<void> {
  while (connection.isOpen) {
    await Promise.race([sleep(REPAIR_EVERY_MS, undefined, { ref: false }), connection.ended]);
    if (legs.size === 0 || !connection.isOpen) continue;
    const listed = await readLegs(connection);
    const due = [...legs];
    legs.clear();
    for (const [legId, attempts] of due) {
      const isDone = await reconcileLeg(deps, connection, coreUuid, listed, legId);
      if (!isDone && attempts + 1 < ATTEMPTS_MAX && !legs.has(legId)) legs.set(legId, attempts + 1);
    }
  }
}
