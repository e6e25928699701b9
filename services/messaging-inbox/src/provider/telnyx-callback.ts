import { plainLine, plainText } from '@parley/text';
import { z } from 'zod';
import type { SmsEncoding } from '../messages/message.ts';
import type { Callback, IncomingReport } from './provider.ts';

/** A number, or the id of a sender, which is any text. */
const phone = z.object({ phone_number: z.string().max(40).transform(plainLine).pipe(z.string().min(1)) });
const errors = z
  .array(z.object({ code: z.union([z.string(), z.number()]).optional() }))
  .optional()
  .catch(undefined);
const instant = z
  .string()
  .max(64)
  .transform((text) => new Date(text))
  .refine((date) => !Number.isNaN(date.getTime()))
  .nullish()
  .catch(undefined);

const common = {
  id: z.string().min(1).max(200),
  from: phone,
  parts: z.int().positive().max(1000).nullish().catch(undefined),
  encoding: z.string().nullish().catch(undefined),
};

const received = z.object({
  ...common,
  to: z.array(phone).min(1),
  text: z.string().max(50_000).overwrite(plainText).nullish(),
  type: z.string().max(40).nullish().catch(undefined),
  media: z.array(z.unknown()).nullish().catch(undefined),
  received_at: instant,
});

const reported = z.object({
  ...common,
  to: z.array(phone.extend({ status: z.string().min(1).max(100) })).min(1),
  text: z.string().nullish().catch(undefined),
  completed_at: instant,
  sent_at: instant,
  errors,
});

const envelope = z.object({
  data: z.object({ event_type: z.string(), occurred_at: instant, payload: z.unknown() }),
});

/** Undefined when it is not a callback of Telnyx's messaging API v2. */
export function readTelnyxCallback(rawBody: Uint8Array, now: Date): Callback | undefined {
  const data = envelope.safeParse(parsed(rawBody)).data?.data;
  if (!data) return undefined;
  switch (data.event_type) {
    case 'message.received': {
      const payload = received.safeParse(data.payload).data;
      const to = payload?.to[0];
      if (!payload || !to) return undefined;
      return {
        kind: 'text',
        text: {
          providerMessageId: payload.id,
          from: payload.from.phone_number,
          to: to.phone_number,
          text: payload.text ?? '',
          picture: payload.type?.toUpperCase() === 'MMS' || (payload.media?.length ?? 0) > 0,
          receivedAt: payload.received_at ?? data.occurred_at ?? null,
          smsCount: payload.parts ?? null,
          encoding: encodingFrom(payload.encoding),
        },
      };
    }
    case 'message.sent':
    case 'message.finalized': {
      const payload = reported.safeParse(data.payload).data;
      const to = payload?.to[0];
      if (!payload || !to) return undefined;
      const status = statusFrom(to.status);
      const report: IncomingReport = {
        providerId: payload.id,
        from: payload.from.phone_number,
        to: to.phone_number,
        text: payload.text ?? null,
        providerStatus: to.status,
        status,
        failureCode: status === 'failed' ? (failureCodeFrom(payload.errors) ?? 'delivery_failed') : null,
        at: payload.completed_at ?? payload.sent_at ?? data.occurred_at ?? now,
      };
      return { kind: 'report', report };
    }
    default:
      return { kind: 'ignored' };
  }
}

/** An undocumented status of Telnyx is ignored. */
export function statusFrom(telnyxStatus: string): IncomingReport['status'] {
  switch (telnyxStatus) {
    case 'queued':
    case 'sending':
    case 'sent':
      return 'accepted';
    case 'delivered':
      return 'delivered';
    case 'sending_failed':
    case 'delivery_failed':
    case 'expired':
      return 'failed';
    default:
      return 'unknown';
  }
}

export function encodingFrom(telnyxEncoding: string | null | undefined): SmsEncoding | null {
  if (!telnyxEncoding) return null;
  return /^gsm/i.test(telnyxEncoding) ? 'gsm7' : 'ucs2';
}

/** Only the code: the provider's message is not shown to customers. */
export function failureCodeFrom(given: z.output<typeof errors>): string | undefined {
  const code = String(given?.[0]?.code ?? '');
  return /^\d{1,10}$/.test(code) ? `telnyx_${code}` : undefined;
}

function parsed(rawBody: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(rawBody).toString('utf8'));
  } catch {
    return undefined;
  }
}
