import { setTimeout as sleep } from 'node:timers/promises';
import { notFound, Refused } from '@parley/errors';
import { applyDeliveryReport, attemptWithProviderId } from '../messages/delivery-report.ts';
import { lastAttempt, type OutboundMessage } from '../messages/message.ts';
import type { Messages } from '../messages/message-store.ts';
import type { TextingNumber } from '../numbers/numbers-client.ts';
import type { IncomingReport } from './provider.ts';

/** The provider may report before its answer to the submission has been written down. */
const LOOK_AGAIN_MS = [50, 150, 300, 500];

/** Applies a report to the attempt that it is about. Refuses an unknown one with not_found. */
export async function applyReport(messages: Messages, number: TextingNumber, report: IncomingReport): Promise<void> {
  for (const waitMs of [...LOOK_AGAIN_MS, undefined]) {
    const message = await reportedMessage(messages, number, report);
    if (message?.companyId === number.companyId) {
      await messages.of(number.companyId).change(message.id, (current) => {
        if (current.direction !== 'outbound') return applyDeliveryReport(current, -1, report);
        const known = attemptWithProviderId(current, report.providerId);
        return applyDeliveryReport(current, known < 0 ? current.attempts.length - 1 : known, report);
      });
      return;
    }
    if (waitMs !== undefined) await sleep(waitMs);
  }
  throw new Refused(notFound);
}

async function reportedMessage(messages: Messages, number: TextingNumber, report: IncomingReport) {
  const known = await messages.byProviderId(report.providerId);
  if (known) return known;
  const open = await messages.unidentified(number.companyId, number.id, report.to);
  return chooseUnidentified(
    open.map((message) => ({ message, text: messages.textOf(message) })),
    report.text,
  );
}

/**
 * The message that a report with an unknown id is about: only our own submissions are reported, so it is one whose
 * response was lost. Of several with that text it is the oldest; one whose submission is in progress will get its id.
 */
export function chooseUnidentified(
  open: readonly { message: OutboundMessage; text: string }[],
  reportedText: string | null,
): OutboundMessage | undefined {
  const same = open.filter(({ text }) => text === reportedText);
  const candidates = (same.length > 0 ? same : open).map(({ message }) => message);
  if (candidates.length <= 1) return candidates[0];
  const lost = candidates.filter((message) => lastAttempt(message).status === 'unknown');
  return same.length > 0 ? lost[0] : undefined;
}
