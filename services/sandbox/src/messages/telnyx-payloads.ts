import { randomUUID } from 'node:crypto';
import type { CustomerText, OutgoingText } from './provider-messages.ts';

function messagePayload(text: OutgoingText | CustomerText, direction: 'inbound' | 'outbound', status: string) {
  return {
    record_type: 'message',
    id: text.providerId,
    direction,
    type: 'SMS',
    from: { phone_number: text.from, carrier: '', line_type: '' },
    to: [{ phone_number: text.to, carrier: '', line_type: '', status }],
    text: text.text,
    ...smsParts(text.text),
    tags: [],
    errors: [] as object[],
  };
}

/** The body of a 200 to `POST /v2/messages`. */
export function acceptedJson(text: OutgoingText): object {
  return { data: { ...messagePayload(text, 'outbound', 'queued'), webhook_url: text.statusCallback } };
}

export function rejectedJson(code: string): object {
  return { errors: [{ code, title: 'Rejected', detail: 'The sandbox is configured to reject this message.' }] };
}

export function receivedEvent(text: CustomerText): object {
  const payload = messagePayload(text, 'inbound', 'webhook_delivered');
  const occurredAt = text.receivedAt.toISOString();
  const media = text.media?.map((url) => ({ url, content_type: 'image/jpeg', sha256: null, size: null }));
  return event('message.received', occurredAt, {
    ...payload,
    ...(media && { type: 'MMS', encoding: null, media }),
    received_at: occurredAt,
  });
}

/** The statuses of `POST /messages/:provider_id/delivery_report` that are not Telnyx's own. */
const telnyxStatuses: Readonly<Record<string, string>> = { failed: 'sending_failed', undelivered: 'delivery_failed' };
const unfinished = new Set(['queued', 'sending', 'sent']);

export function reportEvent(text: OutgoingText, report: { status: string; code?: string }, now: Date): object {
  const status = telnyxStatuses[report.status] ?? report.status;
  const type = unfinished.has(status) ? 'message.sent' : 'message.finalized';
  const occurredAt = now.toISOString();
  return event(type, occurredAt, {
    ...messagePayload(text, 'outbound', status),
    sent_at: text.submittedAt.toISOString(),
    ...(type === 'message.finalized' && { completed_at: occurredAt }),
    errors: report.code === undefined ? [] : [{ code: report.code, title: 'Reported by the sandbox' }],
  });
}

function event(eventType: string, occurredAt: string, payload: object): object {
  return {
    data: { record_type: 'event', id: randomUUID(), event_type: eventType, occurred_at: occurredAt, payload },
    meta: { attempt: 1 },
  };
}

/** The characters of GSM 03.38, and those that take two places of a text. */
const GSM7 = /^[\n\f\r -_a-~¡£¤¥§¿ÄÅÆÇÉÑÖØÜßàäåæèéìñòöøùüΓΔΘΛΞΠΣΦΨΩ€]*$/;
const EXTENDED = /[\f[\\\]^{|}~€]/;
/** Places of a text alone, and of each part of a longer one. */
const PLACES = { 'GSM-7': { alone: 160, part: 153 }, 'UCS-2': { alone: 70, part: 67 } } as const;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** How a provider divides a text: what is displayed as one character is in one part. */
export function smsParts(text: string): { parts: number; encoding: 'GSM-7' | 'UCS-2' } {
  const encoding = GSM7.test(text) ? 'GSM-7' : 'UCS-2';
  const { alone, part } = PLACES[encoding];
  let [places, parts, used] = [0, 1, 0];
  for (const size of encoding === 'GSM-7' ? septets(text) : units(text)) {
    places += size;
    if (used + size > part) [parts, used] = [parts + 1, 0];
    used += size;
  }
  return { parts: places <= alone ? 1 : parts, encoding };
}

function* septets(text: string): Generator<number> {
  for (const character of text) yield EXTENDED.test(character) ? 2 : 1;
}

function* units(text: string): Generator<number> {
  for (const { segment } of graphemes.segment(text)) {
    // The two characters of a line break are two.
    if (segment === '\r\n') yield 1;
    yield segment === '\r\n' ? 1 : segment.length;
  }
}
