import { type Egress, EgressError, type EgressReason } from '@parley/egress';
import type { DeliveryBodies } from '../deliveries/delivery-bodies.ts';
import type { Clock } from '@parley/clock';
import { plainText } from '@parley/plain-text';
import { type Delivery, isSuccess, type Outcome } from '../deliveries/delivery.ts';
import { signatureHeaders } from '../deliveries/sign.ts';
import type { SigningSecrets } from '../subscriptions/signing-secrets.ts';
import type { Subscription } from '../subscriptions/subscription.ts';

const ANSWER_BYTES_MAX = 4_096;
/** Enough of a response for a person to recognise it. */
const EXCERPT_LENGTH_MAX = 500;
const USER_AGENT = 'Parley-Webhooks/1.0';

/** The result of a request, as the metric labels it. */
export type AttemptResult = 'delivered' | 'rejected' | EgressReason;

/** Sends the request of one attempt and returns its outcome. `body`: where it is known, so that it need not be decrypted. */
export type Send = (
  delivery: Delivery,
  subscription: Subscription,
  signal: AbortSignal,
  body?: string,
) => Promise<{ outcome: Outcome; result: AttemptResult }>;

/** `clock` determines which secrets are valid; the signature has the machine's time, which receivers compare with their own. */
export function sender(deps: {
  egress: Egress;
  secrets: SigningSecrets;
  bodies: DeliveryBodies;
  clock: Clock;
  machineClock: Clock;
  attemptMsMax: number;
}): Send {
  const { egress, secrets, bodies, clock, machineClock, attemptMsMax } = deps;
  return async (delivery, subscription, signal, known) => {
    const keys = secrets.keys(subscription, clock.now());
    const body = known ?? bodies.open(delivery.sealedBody, delivery.id);
    const headers = {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      ...signatureHeaders(delivery.id, body, keys, machineClock.now()),
    };
    const started = performance.now();
    const durationMs = () => Math.round(performance.now() - started);
    try {
      const answer = await egress.request({
        method: 'POST',
        url: subscription.url,
        headers,
        body,
        timeoutMs: attemptMsMax,
        maxResponseBytes: ANSWER_BYTES_MAX,
        signal,
      });
      const delivered = isSuccess(answer.status);
      const retryAfter = [answer.headers['retry-after']].flat()[0] ?? null;
      return {
        result: delivered ? 'delivered' : 'rejected',
        outcome: {
          statusCode: answer.status,
          error: delivered ? null : rejection(answer.status),
          durationMs: durationMs(),
          responseExcerpt: excerpt(answer.body),
          retryAfter,
        },
      };
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      const outcome = { statusCode: null, error: error.message, responseExcerpt: null, retryAfter: null };
      return { result: error.reason, outcome: { ...outcome, durationMs: durationMs() } };
    }
  };
}

function rejection(status: number): string {
  const redirect = status >= 300 && status < 400 ? '; redirects are not followed' : '';
  return `the receiver answered ${status}${redirect}`;
}

function excerpt(body: Buffer): string | null {
  const text = plainText(body.toString('utf8').slice(0, EXCERPT_LENGTH_MAX));
  return text === '' ? null : text;
}
