import type { Actor, AuditEntry } from '@parley/actor';
import { withTimeout } from '@parley/clock';
import type { Broker, Event } from '@parley/events';
import { batch, batching, sharedResult } from '@parley/queues';
import { contextFrom, SpanKind, type Telemetry } from '@parley/telemetry';
import type { EventLog } from './event-log.ts';
import type { PendingDocument } from './pending-documents.ts';

/** A request is answered after this time even if its events could not be published; cached answers that they drop are then used until they expire. */
const PUBLISHED_WAIT_MS = 1000;

/** Logs and publishes the events in outboxes. */
export type EventPublisher = ReturnType<typeof eventPublisher>;

export function eventPublisher(options: { service: string; log: EventLog; broker: Broker; telemetry: Telemetry }) {
  const { service, log, broker, telemetry } = options;
  const delay = telemetry.meter.createHistogram('parley_event_publish_delay_seconds', { unit: 's' });
  /** Callbacks of those who wait for the publication of an event, by its id. */
  const waiting = new Map<string, () => void>();
  const logging = new Set<Promise<unknown>>();
  /** Events of many documents are logged by one write. */
  const addBatch = batch(
    sharedResult((batches: readonly (readonly Event[])[]) => log.add(batches.flat())),
    batching.eventLog,
  );

  function addToLog(events: readonly Event[]): Promise<unknown> {
    const adding = addBatch(events).finally(() => logging.delete(adding));
    logging.add(adding);
    return adding;
  }

  async function publishInOrder(events: readonly Event[]): Promise<void> {
    for (const event of events) {
      const span = {
        kind: SpanKind.PRODUCER,
        parent: contextFrom(event.traceparent),
        attributes: { 'messaging.system': 'nats', 'messaging.message.id': event.id },
      };
      await telemetry.span(`publish ${event.type}`, span, () => broker.publish(event));
    }
    for (const { id } of events) waiting.get(id)?.();
  }

  return {
    /**
     * Both at once: until both are done the events stay in the document, so a crash in between repeats them. What was published and
     * is not logged yet cannot be missing after a loss of the stream, because filling it waits for the log.
     */
    async publish(document: PendingDocument): Promise<void> {
      const events = eventsOf(document, service);
      if (events.length === 0) return;
      const publishing = publishInOrder(events).then(() => {
        const { _pendingSince: since } = document;
        // Both times are the machine's.
        if (since) delay.record(Math.max(0, Date.now() - since.getTime()) / 1000);
      });
      await Promise.all([addToLog(events), publishing]);
    },
    /** Resolves once the event is published, or after `PUBLISHED_WAIT_MS`. */
    published(eventId: string): Promise<void> {
      const done = new Promise<void>((resolve) => waiting.set(eventId, resolve));
      return withTimeout(PUBLISHED_WAIT_MS, done).finally(() => waiting.delete(eventId));
    },
    /** Resolves when what is being logged now is in the log. */
    logged: () => Promise.allSettled(logging),
  };
}

export function eventsOf({ _id, companyId, _outbox }: PendingDocument, service: string): Event[] {
  const self: Actor = { type: 'system', id: service, name: service };
  return _outbox.map((entry) => ({
    id: entry.id,
    type: entry.type,
    companyId,
    aggregateId: _id,
    aggregateSequence: entry.sequence,
    occurredAt: entry.occurredAt,
    traceparent: entry.traceparent ?? undefined,
    data: entry.data.buffer,
    actor: entry.actor ?? self,
    ...(entry.audit !== undefined && { audit: JSON.parse(entry.audit) as AuditEntry<string> }),
  }));
}
