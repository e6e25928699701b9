import { auditOf, currentActor } from '@parley/actor';
import { nounOf } from '@parley/events';
import { newId } from '@parley/secrets';
import { currentTraceparent } from '@parley/telemetry';
import { Binary } from 'mongodb';
import type { OutboxEntry } from '../stored/bookkeeping.ts';

/** An event as bytes: its type and the binary form of the type's message. */
export interface EncodedEvent {
  readonly type: string;
  readonly data: Uint8Array;
}

/** Well below what NATS takes: an event that cannot be published must not be stored either. */
const EVENT_BYTES_MAX = 512 * 1024;

/** The entries of events with their sequences, and how many events the aggregate has had of each noun then. */
export function entriesOf(
  events: readonly unknown[],
  encode: (event: unknown) => EncodedEvent,
  countsBefore: Readonly<Record<string, number>>,
  now: Date,
): { entries: OutboxEntry[]; counts: Record<string, number> } {
  const counts = { ...countsBefore };
  const actor = currentActor();
  const entries = events.map((event): OutboxEntry => {
    const { type, data } = encode(event);
    if (data.byteLength > EVENT_BYTES_MAX) throw new Error(`${type} of ${data.byteLength} bytes is too large`);
    const sequence = (counts[nounOf(type)] ?? 0) + 1;
    counts[nounOf(type)] = sequence;
    const audit = auditOf(event);
    return {
      id: newId('evt'),
      type,
      sequence,
      occurredAt: now,
      traceparent: currentTraceparent() ?? null,
      data: new Binary(data),
      ...(actor && { actor }),
      ...(audit && { audit: JSON.stringify(audit) }),
    };
  });
  return { entries, counts };
}
