import { AckPolicy, type Consumer, type ConsumerConfig } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Broker } from '../broker/broker.ts';
import { decodeEvent, type Event } from '../event/envelope.ts';

/** The server removes a consumer without a reader after this time. */
const INACTIVE_MS = 60_000;

/** A consumer of a service's stream. Nothing is acknowledged and nothing redelivered. */
export interface TemporaryConsumer {
  readonly consumer: Consumer;
  /** The number of its messages in the stream. */
  readonly pending: number;
  remove(): void;
}

export async function addTemporaryConsumer(
  broker: Broker,
  service: string,
  config: Partial<ConsumerConfig>,
): Promise<TemporaryConsumer> {
  const info = await broker.unlessLost(() =>
    broker.manager.consumers.add(broker.stream(service), {
      ack_policy: AckPolicy.None,
      inactive_threshold: nanos(INACTIVE_MS),
      mem_storage: true,
      num_replicas: 1,
      ...config,
    }),
  );
  const consumer = broker.jetstream.consumers.getConsumerFromInfo(info);
  return {
    consumer,
    pending: info.num_pending,
    remove() {
      if (broker.connected()) void consumer.delete().catch(() => undefined);
    },
  };
}

/** Undefined for messages that are not events; they are logged when they are read for the first time. */
export function eventIn({ data }: { data: Uint8Array }, onError?: (error: unknown) => void): Event | undefined {
  try {
    return decodeEvent(data);
  } catch (error) {
    onError?.(error);
    return undefined;
  }
}
