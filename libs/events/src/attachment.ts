import { setTimeout as sleep } from 'node:timers/promises';
import {
  AckPolicy,
  type Consumer,
  type ConsumerMessages,
  DeliverPolicy,
  JetStreamApiError,
  type JsMsg,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Logger } from '@parley/telemetry';
import type { Broker } from './broker.ts';

/** A message in hand. What is said about it after its consumer was lost is not sent: it would answer another message. */
export interface Delivery {
  readonly message: JsMsg;
  ack(): void;
  nak(delayMs: number): void;
  term(reason: string): void;
  /** Says that it is still being worked at. */
  working(): void;
}

/** A durable consumer of one stream, made again whenever the broker has lost it. */
export interface Attachment {
  /** How much of the stream is still to be applied. */
  backlog(): Promise<number>;
  stop(): Promise<void>;
}

interface Attached {
  readonly consumer: Consumer;
  readonly messages: ConsumerMessages;
  readonly created: string;
  lost: boolean;
}

const TRY_AGAIN_MS = 250;
const STOP_LIMIT_MS = 1000;
/** Different from what is there: the server keeps what it has until it is told to update. */
const CONSUMER_EXISTS = new Set([10_013, 10_148]);

export function attachToStream(options: {
  name: string;
  service: string;
  /** Nothing less than a noun: events are numbered by noun, so leaving some out would look as if they were missing. */
  nouns: readonly string[];
  broker: Broker;
  /** Unanswered for so long, a message is given to another replica. */
  ackWaitMs: number;
  log: Logger;
  onDelivery: (delivery: Delivery) => void;
}): Attachment {
  const { name, service, nouns, broker, ackWaitMs, log, onDelivery } = options;
  const stream = broker.stream(service);
  const stopping = new AbortController();
  let attached: Attached | undefined;

  async function ensureConsumer() {
    const config = {
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(ackWaitMs),
      max_ack_pending: 1000,
      filter_subjects: nouns.map((noun) => broker.subject(`${service}.${noun}.>`)),
    };
    await broker.ensureStream(service);
    return broker.manager.consumers.add(stream, { durable_name: name, ...config }).catch((error: unknown) => {
      if (!(error instanceof JetStreamApiError && CONSUMER_EXISTS.has(error.code))) throw error;
      return broker.manager.consumers.update(stream, name, config);
    });
  }

  async function attach(): Promise<Attached | undefined> {
    const { created } = await broker.unlessLost(ensureConsumer);
    if (attached && attached.created !== String(created)) attached.lost = true;
    const consumer = await broker.unlessLost(() => broker.jetstream.consumers.get(stream, name));
    if (stopping.signal.aborted) return undefined;
    const messages = await consumer.consume({
      max_messages: 500,
      idle_heartbeat: 5000,
      callback: (message) => onDelivery(deliveryOf(message, current)),
    });
    const current: Attached = { consumer, messages, created: String(created), lost: false };
    attached = current;
    if (stopping.signal.aborted) messages.stop();
    return current;
  }

  async function stayAttached(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const current = await attach();
        if (current) await lostOrClosed(current);
      } catch (error) {
        if (!stopping.signal.aborted && broker.connected())
          log.warn({ err: error, follower: name, stream }, 'cannot follow; trying again');
      }
      await pause(TRY_AGAIN_MS, stopping.signal);
    }
  }

  async function lostOrClosed({ consumer, messages }: Attached): Promise<void> {
    const gone = (async () => {
      for await (const status of messages.status()) {
        if (['consumer_not_found', 'consumer_deleted', 'stream_not_found'].includes(status.type)) return;
        if (status.type === 'heartbeats_missed' && broker.connected() && !(await exists(consumer))) return;
      }
    })();
    await Promise.race([gone, messages.closed()]);
    messages.stop();
  }

  // After a reconnect the broker may have lost its disk: whatever is gone is made again at once.
  broker.onReconnect(() => attached?.messages.stop());
  const attaching = stayAttached();
  return {
    async backlog() {
      const info = await attached?.consumer.info().catch(() => undefined);
      return info ? info.num_pending + info.num_ack_pending : 0;
    },
    async stop() {
      stopping.abort();
      attached?.messages.stop();
      // A broker that does not answer must not hold the stop up.
      const limit = new AbortController();
      await Promise.race([attaching, pause(STOP_LIMIT_MS, limit.signal)]);
      limit.abort();
    },
  };
}

function deliveryOf(message: JsMsg, attached: Attached): Delivery {
  const unlessLost = (answer: () => void) => () => void (attached.lost || answer());
  return {
    message,
    ack: unlessLost(() => message.ack()),
    nak: (delayMs) => unlessLost(() => message.nak(delayMs))(),
    term: (reason) => unlessLost(() => message.term(reason))(),
    working: unlessLost(() => message.working()),
  };
}

async function exists(consumer: Consumer): Promise<boolean> {
  return consumer.info().then(
    () => true,
    () => false,
  );
}

/** Resolves after the time, or when it is cut short. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => undefined);
}
