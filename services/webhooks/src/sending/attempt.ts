import { type Clock, systemClock } from '@parley/clock';
import { type Egress, EgressError, type EgressReason } from '@parley/egress';
import { plainText } from '@parley/text';
import { counterFromZero, contextFrom, SpanKind, type Telemetry } from '@parley/telemetry';
import type { DeliveryBodies } from '../deliveries/delivery-store.ts';
import {
  type Delivery,
  isSuccess,
  type Outcome,
  recordAttempt,
  recordInterruption,
  sendNow,
  suspend,
  withdrawAttempt,
} from '../deliveries/delivery.ts';
import { signatureHeaders, type SigningSecrets } from '../subscriptions/signing-secrets.ts';
import type { Subscriptions } from '../subscriptions/subscription-store.ts';
import { isDelivering, type Subscription } from '../subscriptions/subscription.ts';
import type { RequestPermit } from './receivers.ts';

const ANSWER_BYTES_MAX = 4_096;
/** Enough of a response for a person to recognise it. */
const EXCERPT_LENGTH_MAX = 500;
const USER_AGENT = 'Parley-Webhooks/1.0';

export interface AttemptDeps {
  readonly subscriptions: Pick<Subscriptions, 'recent'>;
  readonly egress: Egress;
  readonly secrets: SigningSecrets;
  readonly bodies: DeliveryBodies;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly attemptMsMax: number;
}

/**
 * Makes an attempt whose start is stored, and releases its permit. Resolves with the delivery that is to be stored; undefined when its
 * subscription was deleted. `body`: where it is known, so that it need not be decrypted.
 */
export type MakeAttempt = (begun: Delivery, permit: RequestPermit, body?: string) => Promise<Delivery | undefined>;

/** The result of a request, as the metric labels it. */
interface Sent {
  readonly outcome: Outcome;
  readonly result: 'delivered' | 'rejected' | EgressReason;
}

export function attempts(deps: AttemptDeps): MakeAttempt {
  const { subscriptions, egress, secrets, bodies, clock, telemetry, attemptMsMax } = deps;
  const { meter } = telemetry;
  const counted = counterFromZero(meter, 'parley_webhook_attempts_total', [{ outcome: 'delivered' }]);
  const firstDelay = meter.createHistogram('parley_webhook_first_attempt_delay_seconds', { unit: 's' });
  const startDelay = meter.createHistogram('parley_webhook_start_delay_seconds', { unit: 's' });

  async function send(delivery: Delivery, to: Subscription, signal: AbortSignal, known?: string): Promise<Sent> {
    const body = known ?? bodies.open(delivery.sealedBody, delivery.id);
    const keys = secrets.keys(to, clock.now());
    const headers = {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      ...(delivery.eventId !== undefined && { 'parley-event-id': delivery.eventId }),
      // With the machine's time, which receivers compare with their own.
      ...signatureHeaders(delivery.id, body, keys, systemClock.now()),
    };
    const started = performance.now();
    const durationMs = () => Math.round(performance.now() - started);
    const limits = { timeoutMs: attemptMsMax, maxResponseBytes: ANSWER_BYTES_MAX, signal };
    try {
      const answer = await egress.request({ method: 'POST', url: to.url, headers, body, ...limits });
      const { status: statusCode } = answer;
      const delivered = isSuccess(statusCode);
      const error = delivered ? null : rejection(statusCode);
      const responseExcerpt = excerpt(answer.body);
      const retryAfter = [answer.headers['retry-after']].flat()[0] ?? null;
      const outcome = { statusCode, error, durationMs: durationMs(), responseExcerpt, retryAfter };
      return { result: delivered ? 'delivered' : 'rejected', outcome };
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      const outcome = { statusCode: null, error: error.message, responseExcerpt: null, retryAfter: null };
      return { result: error.reason, outcome: { ...outcome, durationMs: durationMs() } };
    }
  }

  function sendInSpan(delivery: Delivery, to: Subscription, signal: AbortSignal, body?: string): Promise<Sent> {
    const attributes = { 'parley.webhook.delivery': delivery.id, 'parley.webhook.event': delivery.event };
    const parent = contextFrom(delivery.traceparent ?? undefined);
    return telemetry.span('deliver webhook', { kind: SpanKind.CLIENT, parent, attributes }, async (span) => {
      const sent = await send(delivery, to, signal, body);
      span.setAttribute('parley.webhook.outcome', sent.result);
      if (sent.outcome.statusCode !== null) span.setAttribute('http.response.status_code', sent.outcome.statusCode);
      return sent;
    });
  }

  async function attempt(begun: Delivery, permit: RequestPermit, body?: string): Promise<Delivery | undefined> {
    const subscription = await subscriptions.recent(begun.companyId, begun.subscriptionId);
    if (!subscription) return undefined;
    if (!isDelivering(subscription) && !begun.isTest) return suspend(withdrawAttempt(begun));
    if (!(await permit.acquire())) return withdrawAttempt(begun);
    const sentAt = clock.now();
    const delivery = sendNow(begun, sentAt);
    if (delivery.attempts.length === 1) {
      firstDelay.record(secsBetween(delivery.createdAt, sentAt));
      startDelay.record(secsBetween(begun.attempts[0]!.at, sentAt));
    }
    const { outcome, result } = await sendInSpan(delivery, subscription, permit.signal, body);
    counted.add(1, { outcome: result });
    if (result !== 'aborted') return recordAttempt(delivery, outcome, clock.now(), Math.random());
    return permit.signal.reason === 'deleted' ? undefined : recordInterruption(delivery, clock.now());
  }

  /**
   * The subscription is read after the permit was made. Its deletion checks for permits after that moment: so one of the two
   * sees the other, and nothing starts after the deletion was answered.
   */
  return (begun, permit, body) => attempt(begun, permit, body).finally(() => permit.release());
}

function rejection(status: number): string {
  const redirect = status >= 300 && status < 400 ? '; redirects are not followed' : '';
  return `the receiver answered ${status}${redirect}`;
}

function excerpt(body: Buffer): string | null {
  const text = plainText(body.toString('utf8').slice(0, EXCERPT_LENGTH_MAX));
  return text === '' ? null : text;
}

/** The product's clock may have been moved back in the meantime. */
function secsBetween(from: Date, to: Date): number {
  return Math.max(0, to.getTime() - from.getTime()) / 1000;
}
