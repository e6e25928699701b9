import type { Actor, AuditEntry } from '@parley/actor';
import type { AuditEvent } from '@parley/events';

/** An entry of the audit log. It is never changed. */
export interface StoredAuditEvent {
  readonly id: string;
  readonly companyId: string;
  readonly at: Date;
  readonly actor: Actor;
  /** Stored as JSON, because names of changed fields could be operators of MongoDB. */
  readonly entry: string;
  /** Every combination of filters that it matches, so that one index serves each of them with nothing left over. */
  readonly keys: readonly string[];
}

/** Absent fields match every entry. */
export interface AuditFilter {
  readonly actorId?: string | undefined;
  readonly objectId?: string | undefined;
  readonly type?: string | undefined;
}

export const KEPT_DAYS = 400;

/** An entry as it is stored. */
export function storedAuditEvent({ id, companyId, at, actor, entry }: AuditEvent): StoredAuditEvent {
  const keys = keysOf({ actorId: actor.id, objectId: entry.object.id, type: entry.type });
  return { id, companyId, at, actor, entry: JSON.stringify(entry), keys };
}

export function entryOf({ entry }: StoredAuditEvent): AuditEntry<string> {
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
