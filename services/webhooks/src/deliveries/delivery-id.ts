import { hash } from 'node:crypto';

/** 128 bits in hexadecimal: the shape of every other id. */
const LENGTH = 32;

/**
 * The same event for the same subscription always has the same id, so that an event that arrives again finds its
 * delivery there. It cannot be guessed: the event's own id is not public.
 */
export function deliveryId(eventId: string, eventType: string, subscriptionId: string): string {
  const digest = hash('sha256', `${eventId}/${eventType}/${subscriptionId}`);
  return `whd_${digest.slice(0, LENGTH)}`;
}
