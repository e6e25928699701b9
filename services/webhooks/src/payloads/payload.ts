import { type DescMessage, fromBinary, type MessageShape } from '@bufbuild/protobuf';
import type { EventType } from '../subscriptions/event-types.ts';

/** How a fact of some service becomes the `data` of a webhook event. */
export interface Payload {
  /** The fact's type, `<service>.<noun>.<fact>`. */
  readonly fact: string;
  readonly event: EventType;
  /** From the fact's binary form; null when this fact is no such event. */
  data(bytes: Uint8Array): object | null;
}

/** Ties a fact's message to the event it becomes. */
export function definePayload<Desc extends DescMessage>(payload: {
  fact: string;
  schema: Desc;
  event: EventType;
  data: (fact: MessageShape<Desc>) => object | null;
}): Payload {
  const { fact, schema, event, data } = payload;
  return { fact, event, data: (bytes) => data(fromBinary(schema, bytes)) };
}

/** The whole of what is sent: the three envelope keys and nothing else. */
export function webhookBody(event: string, occurredAt: Date, data: object): string {
  return JSON.stringify({ event, timestamp: occurredAt.toISOString(), data });
}
