import { type Egress, EgressError, type EgressReason, type EgressResponse } from '@parley/egress';
import type { Logger } from '@parley/telemetry';
import { z } from 'zod';
import { PROVIDER_UNAVAILABLE, type SubmitResult } from '../messages/outbound-message.ts';
import type { SmsProvider } from './provider.ts';
import { encodingFrom, failureCodeFrom, readTelnyxCallback, statusFrom } from './telnyx-callback.ts';
import { isSignedBy, readPublicKey } from './telnyx-signature.ts';

export interface TelnyxOptions {
  readonly egress: Egress;
  /** `https://api.telnyx.com` */
  readonly apiUrl: string;
  readonly apiKey: string;
  /** The keys of the provider's portal; several while one is being replaced. */
  readonly publicKeys: readonly string[];
  /** Our own address, to which delivery reports are sent. */
  readonly publicUrl: string;
  readonly timeoutMs: number;
  readonly log: Logger;
}

const RESPONSE_BYTES_MAX = 256 * 1024;
/** No request was written yet. */
const neverSent: readonly EgressReason[] = ['refused_address', 'dns', 'connect', 'tls'];
const REJECTED = 'provider_rejected';

const errors = z.array(z.object({ code: z.union([z.string(), z.number()]).optional() })).optional();
const acceptedBody = z.object({
  data: z.object({
    id: z.string().min(1).max(200),
    parts: z.int().positive().nullish(),
    encoding: z.string().nullish(),
    to: z.array(z.object({ status: z.string().optional() })).optional(),
    errors,
  }),
});
const refusedBody = z.object({ errors });

/** Telnyx's messaging API v2. */
export function telnyxProvider(options: TelnyxOptions): SmsProvider {
  const { egress, apiKey, publicUrl, timeoutMs, log } = options;
  const keys = options.publicKeys.map(readPublicKey);
  const url = `${options.apiUrl}/v2/messages`;
  const webhookUrl = `${publicUrl}/webhooks/telnyx/delivery_reports`;
  return {
    async submit({ from, to, text }, signal) {
      const body = JSON.stringify({
        from,
        to,
        text,
        type: 'SMS',
        webhook_url: webhookUrl,
        use_profile_webhooks: false,
      });
      const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
      try {
        const response = await egress.request({
          method: 'POST',
          url,
          headers,
          body,
          timeoutMs,
          maxResponseBytes: RESPONSE_BYTES_MAX,
          ...(signal && { signal }),
        });
        return readSubmission(response, log);
      } catch (error) {
        if (!(error instanceof EgressError)) throw error;
        log.warn({ reason: error.reason, problem: error.message }, 'the SMS provider did not answer');
        if (neverSent.includes(error.reason))
          return { outcome: 'failed', failureCode: PROVIDER_UNAVAILABLE, providerId: null };
        return { outcome: 'unknown' };
      }
    },
    isAuthentic: (callback, now) => isSignedBy(keys, callback, now),
    readCallback: readTelnyxCallback,
  };
}

/** After 408 and 5xx it is unknown whether the text was accepted; other errors are definite. */
export function readSubmission({ status, body }: Pick<EgressResponse, 'status' | 'body'>, log?: Logger): SubmitResult {
  const given = parsed(body);
  if (status >= 200 && status < 300) return accepted(given);
  if (status >= 500 || status === 408 || status < 400) return { outcome: 'unknown' };
  if (status === 401 || status === 403) log?.error({ status }, 'the SMS provider refuses our credentials');
  const failureCode = failureCodeFrom(refusedBody.safeParse(given).data?.errors) ?? REJECTED;
  return { outcome: 'failed', failureCode, providerId: null };
}

function accepted(given: unknown): SubmitResult {
  const data = acceptedBody.safeParse(given).data?.data;
  // It was accepted under an unknown id: only a report can resolve it.
  if (!data) return { outcome: 'unknown' };
  const reported = data.to?.[0]?.status;
  if (reported !== undefined && statusFrom(reported) === 'failed')
    return { outcome: 'failed', failureCode: failureCodeFrom(data.errors) ?? REJECTED, providerId: data.id };
  const { id: providerId, parts, encoding } = data;
  return { outcome: 'accepted', providerId, smsCount: parts ?? null, encoding: encodingFrom(encoding) };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
