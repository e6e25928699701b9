import type { WebhookDelivery } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';

type Attempt = WebhookDelivery['attempts'][number];

export function deliveryStatusText({ status, attempts }: WebhookDelivery): string {
  const wasTried = attempts.some((attempt) => attempt.duration_ms !== null);
  return {
    delivered: t('Delivered'),
    failed: t('Failed'),
    held: t('Held while the webhook is paused'),
    pending: wasTried ? t('Will be tried again') : t('Being sent'),
  }[status];
}

/** The result of an attempt; the receiver's own words are shown apart from it. */
export function attemptText({ status_code: code, error, duration_ms: durationMs }: Attempt): string {
  if (durationMs === null) return t('In progress');
  const result = code === null ? t('No response') : t('Status {code}', { code });
  const explains = error !== null && !error.includes(String(code));
  return `${explains ? `${result}: ${error}` : result}, ${durationText(durationMs)}`;
}

function durationText(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}

const SOON_MS = 15_000;
const REFRESH_SOON_MS = 1500;
const REFRESH_MS = 10_000;
/** With more than these, a refresh is too much to be done automatically. */
const PAGES_MAX = 3;

/** When to read the deliveries again: soon while an attempt is expected. False: not by itself. */
export function refreshAfterMs(
  pages: readonly { readonly deliveries: readonly WebhookDelivery[] }[],
  now: number,
): number | false {
  if (pages.length > PAGES_MAX) return false;
  const isExpected = pages
    .flatMap(({ deliveries }) => deliveries)
    .some(
      ({ status, next_attempt_at: next }) =>
        status === 'pending' && (next === null || Date.parse(next) - now < SOON_MS),
    );
  return isExpected ? REFRESH_SOON_MS : REFRESH_MS;
}
