import { decided } from '@parley/errors';
import type { Attempt, Message, MessageDecision } from './message.ts';
import { changeAttempt } from './outbound-message.ts';

/** The provider's report of an attempt. */
export interface DeliveryReport {
  readonly providerId: string;
  /** The provider's own status. */
  readonly providerStatus: string;
  readonly status: 'accepted' | 'delivered' | 'failed' | 'unknown';
  readonly failureCode: string | null;
  readonly at: Date;
}

/** More than the provider has statuses. */
const REPORTS_MAX = 20;

/** The allowed transitions of an attempt. Delivered and failed are final. */
const moves: Readonly<Record<Attempt['status'], readonly DeliveryReport['status'][]>> = {
  queued: ['accepted', 'delivered', 'failed', 'unknown'],
  accepted: ['delivered', 'failed', 'unknown'],
  unknown: ['accepted', 'delivered', 'failed'],
  delivered: [],
  failed: [],
};

/** Counts once for each attempt and status of the provider; a late or older one changes nothing but the record. */
export function applyDeliveryReport(message: Message, index: number, report: DeliveryReport): MessageDecision {
  const attempt = message.direction === 'outbound' ? message.attempts[index] : undefined;
  if (!attempt || message.direction !== 'outbound' || attempt.reports.length >= REPORTS_MAX) return decided(message);
  if (attempt.reports.some(({ providerStatus }) => providerStatus === report.providerStatus)) return decided(message);
  const { providerStatus, at, status } = report;
  const recorded: Attempt = {
    ...attempt,
    providerId: attempt.providerId ?? report.providerId,
    reports: [...attempt.reports, { providerStatus, at }],
    finalized: attempt.finalized || status !== 'accepted',
  };
  // "Sent" that comes after a final report is older than it.
  const older = status === 'accepted' && attempt.finalized;
  if (older || !moves[attempt.status].includes(status)) return changeAttempt(message, index, recorded);
  const failureCode = status === 'failed' ? report.failureCode : null;
  const delivered = status === 'delivered' ? { deliveredAt: report.at } : {};
  return changeAttempt(message, index, { ...recorded, status, failureCode }, delivered);
}

/** The attempt with this provider id. */
export function attemptWithProviderId(message: Message, providerId: string): number {
  return message.direction === 'outbound' ? message.attempts.findIndex((one) => one.providerId === providerId) : -1;
}
