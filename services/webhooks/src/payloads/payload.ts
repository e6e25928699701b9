import { decodeMessage, type Event, type EventMessage, type EventType as DomainEventType } from '@parley/events';
import type { Call } from '@parley/proto/call_control/v1/calls_pb';
import type { EventType } from '../subscriptions/event-types.ts';

/** Data that payloads contain besides the fact of the event. */
export interface PayloadSources {
  /** The body of a text, which no event carries; undefined while texting is off for the company. */
  messageText(companyId: string, messageId: string): Promise<string | undefined>;
  /** A call with its transcript and the signed address of its recording, which no event carries either. */
  callContent(companyId: string, callId: string): Promise<Call | undefined>;
  /** The transcription of a voicemail, which no event carries either. */
  voicemailText(companyId: string, voicemailId: string): Promise<string | undefined>;
}

/** Converts an event of a service to the `data` of a webhook event. */
export interface Payload {
  /** The type of the service's event, `<service>.<noun>.<fact>`. */
  readonly fact: DomainEventType;
  readonly event: EventType;
  /** Decides whether an event of the type is such a webhook event, where that is known without decoding its message. */
  isOf?(fact: Event): boolean;
  /** Null when this fact is no such event. */
  data(fact: Event, sources: PayloadSources): Promise<object | null>;
}

/** Ties a fact's message to the event it becomes. */
export function definePayload<Fact extends DomainEventType>(payload: {
  fact: Fact;
  event: EventType;
  data: (message: EventMessage<Fact>, sources: PayloadSources) => object | null | Promise<object | null>;
}): Payload {
  const { fact, event, data } = payload;
  return { fact, event, data: async ({ data: bytes }, sources) => data(decodeMessage(fact, bytes), sources) };
}

/** The whole of what is sent: the three envelope keys and nothing else. */
export function webhookBody(event: string, occurredAt: Date, data: object): string {
  return JSON.stringify({ event, timestamp: occurredAt.toISOString(), data });
}
