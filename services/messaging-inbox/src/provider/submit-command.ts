import type { Clock } from '@parley/clock';
import type { Telemetry } from '@parley/telemetry';
import type { SmsProvider } from './provider.ts';
import type { AttemptOutcomes } from '../messages/attempt-outcomes.ts';
import type { Message, SubmitCommand } from '../messages/message.ts';
import type { Messages } from '../messages/message-store.ts';
import { PROVIDER_UNAVAILABLE, settleSubmission, type SubmitResult } from '../messages/outbound-message.ts';

/** A process that stops lets requests finish for this long: aborted requests have an unknown outcome. */
const STOP_GRACE_MS = 4000;

/** The one request to the provider of an attempt. */
export function submitCommand(deps: {
  messages: Messages;
  provider: SmsProvider;
  outcomes: AttemptOutcomes;
  clock: Clock;
  telemetry: Telemetry;
}) {
  const { messages, provider, outcomes, clock } = deps;
  const delay = deps.telemetry.meter.createHistogram('parley_text_acceptance_delay_seconds', { unit: 's' });

  /** From the request to send it until the provider has answered. */
  function recordDelay(since: Date | undefined, result: SubmitResult): void {
    if (since)
      delay.record(Math.max(0, clock.now().getTime() - since.getTime()) / 1000, { outcome: outcomeOf(result) });
  }

  return {
    guarantee: 'at_most_once' as const,
    startsWithWrite: true,
    // The provider may take seconds, which the other commands do not wait for.
    isLong: () => true,
    async execute(
      { attempt }: SubmitCommand,
      { aggregateId, companyId, signal }: { aggregateId: string; companyId: string; signal: AbortSignal },
    ): Promise<SubmitResult> {
      const message = await messages.of(companyId).getRecent(aggregateId);
      if (!message) return { outcome: 'unknown' };
      const { from, to } = message;
      const graceful = afterGrace(signal);
      try {
        const result = await provider.submit({ from, to, text: messages.textOf(message) }, graceful.signal);
        recordDelay(message.direction === 'outbound' ? message.attempts[attempt]?.createdAt : undefined, result);
        return result;
      } finally {
        graceful.end();
      }
    },
    settle: (message: Message, { attempt }: SubmitCommand, result: SubmitResult | { readonly unknown: true }) =>
      settleSubmission(message, attempt, 'unknown' in result ? { outcome: 'unknown' } : result),
    onSettled: ({ aggregateId }: { aggregateId: string }) => outcomes.notify(aggregateId),
  };
}

/** As the metric labels it: `unavailable` and `unknown` are no answers of the provider. */
function outcomeOf(result: SubmitResult): 'accepted' | 'refused' | 'unavailable' | 'unknown' {
  if (result.outcome !== 'failed') return result.outcome;
  return result.failureCode === PROVIDER_UNAVAILABLE ? 'unavailable' : 'refused';
}

/** A signal that is aborted some time after `stop`, unless it is ended before. */
function afterGrace(stop: AbortSignal): { readonly signal: AbortSignal; end(): void } {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const onStop = () => void (timer = setTimeout(() => late.abort(), STOP_GRACE_MS));
  if (stop.aborted) onStop();
  else stop.addEventListener('abort', onStop, { once: true });
  return {
    signal: late.signal,
    end() {
      clearTimeout(timer);
      stop.removeEventListener('abort', onStop);
    },
  };
}
