import { hash } from 'node:crypto';
import type { EventType } from '@parley/public-json';

/** The content of an event in the log, taken once. Without a body it keeps its place and is not shown. */
export interface LoggedEvent {
  /** Public id. */
  readonly id: string;
  readonly companyId: string;
  /** The current name of its type. */
  readonly event: EventType;
  /** The body that webhooks get, encrypted; null when there was nothing to send, or it was removed. */
  readonly sealedBody: string | null;
  /** Aggregate and noun, as deliveries have it; null without a body. */
  readonly subject: string | null;
  readonly occurredAt: Date;
  readonly recordedAt: Date;
  /** The number of its segment, once that has a successor; null before. */
  readonly segment: number | null;
}

/** 128 bits in hexadecimal: the shape of every other id. */
const ID_LENGTH = 32;

const KEPT_DAYS = 30;
const KEPT_MS = KEPT_DAYS * 24 * 3600 * 1000;

/**
 * The same event always has the same id, so that one that arrives again is found. It cannot be guessed: the id of the service's event is not
 * public.
 */
export function publicEventId(eventId: string, type: EventType): string {
  return `evt_${hash('sha256', `${eventId}/${type}`).slice(0, ID_LENGTH)}`;
}

/** What was recorded before this time is not shown any more. */
export function keptFrom(now: Date): Date {
  return new Date(now.getTime() - KEPT_MS);
}

/** The body for a subscription that uses another name of the type; nothing else differs. */
export function bodyNamed(name: string, { body, event }: { readonly body: string; readonly event: string }): string {
  if (name === event) return body;
  const beginning = `{"event":${JSON.stringify(event)}`;
  if (!body.startsWith(beginning)) throw new Error(`a body that does not begin with ${beginning}`);
  return `{"event":${JSON.stringify(name)}${body.slice(beginning.length)}`;
}
