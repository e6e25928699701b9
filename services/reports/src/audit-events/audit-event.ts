import type { Actor, AuditEntry } from '@parley/actor';
import type { Event } from '@parley/events';

/** An entry of the audit log. It is never changed. */
export interface AuditEvent {
  readonly id: string;
  readonly companyId: string;
  readonly at: Date;
  readonly actor: Actor;
  /** As JSON: names and values of changed fields are not for MongoDB to interpret. */
  readonly entry: string;
  /** Every combination of filters that it matches, so that one index serves each of them with nothing left over. */
  readonly keys: readonly string[];
}

/** Which entries: by actor, object and type; absent ones do not matter. */
export interface AuditFilter {
  readonly actorId?: string | undefined;
  readonly objectId?: string | undefined;
  readonly type?: string | undefined;
}

/** How long entries are kept. */
export const KEPT_DAYS = 400;

/** The entry that an event carries; undefined when it carries none, or belongs to no company. */
export function auditEventOf(event: Event): AuditEvent | undefined {
  const { audit, companyId, occurredAt } = event;
  if (!audit || companyId === '') return undefined;
  const actor = event.actor ?? { type: 'system' as const, id: serviceOf(event), name: serviceOf(event) };
  return {
    // An event has one entry: applied twice, it is the same one.
    id: event.id.replace(/^evt_/, 'aud_'),
    companyId,
    at: occurredAt,
    actor,
    entry: JSON.stringify(audit),
    keys: keysOf({ actorId: actor.id, objectId: audit.object.id, type: audit.type }),
  };
}

export function entryOf({ entry }: AuditEvent): AuditEntry<string> {
  return JSON.parse(entry) as AuditEntry<string>;
}

/** The key of entries that match a filter. */
export function keyOf({ actorId, objectId, type }: AuditFilter): string {
  return JSON.stringify([actorId ?? null, objectId ?? null, type ?? null]);
}

function keysOf({ actorId, objectId, type }: Required<AuditFilter>): string[] {
  return [actorId, undefined].flatMap((actor) =>
    [objectId, undefined].flatMap((object) =>
      [type, undefined].map((one) => keyOf({ actorId: actor, objectId: object, type: one })),
    ),
  );
}

function serviceOf({ type }: Event): string {
  return type.slice(0, type.indexOf('.'));
}
