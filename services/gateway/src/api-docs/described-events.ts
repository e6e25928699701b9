import { readFileSync } from 'node:fs';
import type { DescribedWebhook } from '@parley/http';
import { type DescribedEvent, describedEvents, describedTestEvent, messageTitle } from '@parley/public-json';
import { z } from 'zod';

/** The header fields of a delivery beside those of every request with JSON. */
export const deliveryHeaders = z.object({
  'webhook-id': z.string().describe('Of the delivery, the same in every attempt (Standard Webhooks)'),
  'webhook-timestamp': z.string().describe('Of the attempt, in seconds since 1970'),
  'webhook-signature': z
    .string()
    .describe(
      '`v1,` and the HMAC-SHA256 in base64 of id, timestamp and body, joined by full stops; while a secret is replaced several, separated by spaces',
    ),
  'parley-event-id': z
    .string()
    .optional()
    .describe('Of the event in the event log, the same for every webhook; a test has none'),
});

/** What the sandbox's receiver and a client of the live channel have got, by the name of the message. */
interface Examples {
  readonly webhooks: Readonly<Record<string, { readonly headers: object; readonly body: object }>>;
  readonly cable: Readonly<Record<string, object>>;
}

/** Made by `npm run event-examples`. */
export const examples: Examples = JSON.parse(readFileSync(new URL('./event-examples.json', import.meta.url), 'utf8'));

/** Everything that a webhook can receive. */
export const deliveredEvents: readonly DescribedEvent[] = [...describedEvents, describedTestEvent];

/** Its description with the names that older subscriptions have. */
export function wholeDescription({ description, formerNames }: DescribedEvent): string {
  const former = formerNames.map(
    (name) => ` A subscription to its former name \`${name}\` gets that name in \`event\`.`,
  );
  return description + former.join('');
}

/** The events as webhooks of the OpenAPI document. */
export function describedWebhooks(tag: string): DescribedWebhook[] {
  return deliveredEvents.map((event) => ({
    name: event.type,
    operationId: `receive${messageTitle(event.type)}`,
    summary: event.type,
    description: wholeDescription(event),
    tag,
    headers: deliveryHeaders,
    body: event.schema,
    example: examples.webhooks[event.type]?.body,
  }));
}
