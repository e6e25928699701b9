import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Actor, AuditEntry } from '@parley/actor';
import { EnvelopeSchema } from '@parley/proto/events/v1/envelope_pb';
import { actorFromProto, actorToProto, auditFromProto, auditToProto } from './actor-proto.ts';

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
  /** Undefined in events from before actors were recorded. */
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
