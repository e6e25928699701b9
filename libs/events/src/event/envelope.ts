import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type Actor, type AuditEntry, actorFrom } from '@parley/actor';
import {
  EnvelopeSchema,
  type Actor as ProtoActor,
  type ActorSchema,
  type AuditEntry as ProtoAuditEntry,
  type AuditEntrySchema,
} from '@parley/proto/events/v1/envelope_pb';

/** One event. `type` is `<service>.<noun>.<fact>`; `data` is the binary form of that type's message. */
export interface Event {
  readonly id: string;
  readonly type: string;
  readonly companyId: string;
  readonly aggregateId: string;
  /** 1 for an aggregate's first event of a noun, then without gaps. */
  readonly aggregateSequence: number;
  readonly occurredAt: Date;
  readonly traceparent: string | undefined;
  readonly data: Uint8Array;
  /** Undefined in events of versions before 0.3: logs and streams have them for 30 days, dead letters longer. */
  readonly actor?: Actor | undefined;
  readonly audit?: AuditEntry<string> | undefined;
}

/** `credential` for `identity.credential.revoked`: the unit in which an aggregate's events are numbered and followed. */
export function nounOf(type: string): string {
  return type.split('.')[1] ?? '';
}

/** An event is encoded for the log and for the stream. */
const encoded = new WeakMap<Event, Uint8Array>();

/** The encoded event. */
export function encodeEvent(event: Event): Uint8Array {
  const known = encoded.get(event) ?? envelopeOf(event);
  encoded.set(event, known);
  return known;
}

function envelopeOf(event: Event): Uint8Array {
  return toBinary(
    EnvelopeSchema,
    create(EnvelopeSchema, {
      ...event,
      aggregateSequence: BigInt(event.aggregateSequence),
      occurredAt: timestampFromDate(event.occurredAt),
      traceparent: event.traceparent ?? '',
      actor: event.actor && actorToProto(event.actor),
      audit: event.audit && auditToProto(event.audit),
    }),
  );
}

/** Throws when the bytes are no envelope. */
export function decodeEvent(bytes: Uint8Array): Event {
  const envelope = fromBinary(EnvelopeSchema, bytes);
  const { id, type, aggregateId, aggregateSequence, occurredAt } = envelope;
  if (!id || !type || !aggregateId || aggregateSequence < 1n || !occurredAt) throw new Error('not an event envelope');
  return {
    id: envelope.id,
    type: envelope.type,
    companyId: envelope.companyId,
    aggregateId: envelope.aggregateId,
    aggregateSequence: Number(envelope.aggregateSequence),
    occurredAt: timestampDate(occurredAt),
    traceparent: envelope.traceparent || undefined,
    data: envelope.data,
    ...(envelope.actor && { actor: actorFromProto(envelope.actor) }),
    ...(envelope.audit && { audit: auditFromProto(envelope.audit) }),
  };
}

/** Undefined for bytes that are no event. */
export function decodeIfEvent(bytes: Uint8Array, onError: (error: unknown) => void = () => {}): Event | undefined {
  try {
    return decodeEvent(bytes);
  } catch (error) {
    onError(error);
    return undefined;
  }
}

export function actorToProto(actor: Actor): MessageInitShape<typeof ActorSchema> {
  const { type, id, name, credential, address = '', requestId = '' } = actor;
  return {
    type,
    id,
    name,
    credentialType: credential?.type ?? '',
    credentialId: credential?.id ?? '',
    credentialName: credential?.name ?? '',
    address,
    requestId,
  };
}

function actorFromProto(actor: ProtoActor): Actor | undefined {
  const { type, id, name, credentialType, credentialId, credentialName, address, requestId } = actor;
  const credential = { type: credentialType, id: credentialId, name: credentialName };
  return actorFrom({ type, id, name, credential, address, requestId });
}

export function auditToProto({ type, object, changes }: AuditEntry<string>): MessageInitShape<typeof AuditEntrySchema> {
  return {
    type,
    objectType: object.type,
    objectId: object.id,
    objectName: object.name,
    changes: Object.entries(changes).map(([field, { from, to }]) => ({
      field,
      from: JSON.stringify(from ?? null),
      to: JSON.stringify(to ?? null),
    })),
  };
}

/** Throws when a value is not JSON. */
function auditFromProto(entry: ProtoAuditEntry): AuditEntry<string> {
  const { type, objectType, objectId, objectName, changes } = entry;
  return {
    type,
    object: { type: objectType, id: objectId, name: objectName },
    changes: Object.fromEntries(
      changes.map(({ field, from, to }) => [field, { from: JSON.parse(from), to: JSON.parse(to) }]),
    ),
  };
}

/**
 * Events are partitioned by aggregate: each partition has one active reader per follower, so the events of an aggregate
 * are applied in order without coordination. Fixed: a change would move aggregates between readers and subjects.
 */
export const PARTITIONS = 16;

export const allPartitions: readonly number[] = Array.from({ length: PARTITIONS }, (_, partition) => partition);

/** The partition of an aggregate's events. FNV-1a: stable across processes and versions, and evenly spread. */
export function partitionOf(aggregateId: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < aggregateId.length; i++) {
    hash ^= aggregateId.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  return (hash >>> 0) % PARTITIONS;
}
