import type { Event, EventMessage } from '@parley/events';
import type { FollowsEvents } from '@parley/service';
import { CallLimit, UnusualCalls } from '@parley/proto/call_control/v1/call_usage_events_pb';
import type { Alert } from '../notifications/notification.ts';
import { plainName } from '../mail/mailer.ts';
import type { SendAlert } from './send-alert.ts';

/** Sends alerts about a company's calls, and what its assistants cost, to its owners and admins by e-mail. */
export async function followAlerts(service: FollowsEvents, sendAlert: SendAlert): Promise<void> {
  // The event may be applied again after a crash.
  async function send(alert: Alert | undefined, { companyId, occurredAt }: Event): Promise<void> {
    if (alert) await sendAlert(companyId, alert, occurredAt);
  }

  await service.follow({
    name: 'identity-call-alerts',
    handlers: {
      'call-control.emergency_call.placed': (message, event) => send(emergencyAlert(message), event),
      'call-control.call_usage.limit_reached': (message, event) => send(limitAlert(message), event),
      'call-control.call_usage.unusual': (message, event) => send(unusualAlert(message), event),
    },
  });
  await service.follow({
    name: 'identity-spend-alerts',
    handlers: {
      'assistant.endpoint.spend_limit_near': (message, event) => send(spendAlert(message), event),
    },
  });
}

function emergencyAlert({ call }: EventMessage<'call-control.emergency_call.placed'>): Alert | undefined {
  if (!call) return undefined;
  const who = plainName(call.initiatedBy?.name ?? 'Somebody');
  const number = digits(call.to);
  return {
    subject: `Emergency call to ${number}`,
    text: `${who} has called the emergency number ${number} from ${plainName(call.mainNumberName)} (${digits(call.mainNumber)}). Find out whether help is needed, and that the emergency service is expected.`,
  };
}

const limitTexts: Partial<Record<CallLimit, string>> = {
  [CallLimit.SIMULTANEOUS_CALLS]: 'The company has as many calls at once as it may have.',
  [CallLimit.CALLS_PER_MINUTE]: 'The company has as many new calls in a minute as it may have.',
  [CallLimit.EMPLOYEE_SIMULTANEOUS_CALLS]: 'An employee has placed as many calls at once as one employee may place.',
  [CallLimit.EMPLOYEE_CALLS_PER_MINUTE]: 'An employee has placed as many calls in a minute as one employee may place.',
};

function limitAlert(message: EventMessage<'call-control.call_usage.limit_reached'>): Alert {
  const { limit, refused } = message;
  return {
    subject: 'Calls of your company are refused',
    text: `${limitTexts[limit] ?? 'A limit of calls is reached.'} Further calls are refused as busy until there is room again (${refused} so far). If that is not expected, ask your provider. You get this message at most once an hour.`,
  };
}

const unusualTexts: Partial<Record<UnusualCalls, (count: number, countries: string) => string>> = {
  [UnusualCalls.NEW_COUNTRIES]: (count, countries) =>
    `Within an hour your company has called ${count} countries that it did not call before: ${countries}.`,
  [UnusualCalls.VOLUME]: (count) => `Within an hour your company has placed ${count} calls, many more than usual.`,
  [UnusualCalls.SHORT_CALLS]: (count) =>
    `Within an hour your company has placed ${count} calls of a few seconds, many more than usual.`,
};

function unusualAlert(message: EventMessage<'call-control.call_usage.unusual'>): Alert | undefined {
  const { kind, count, countries } = message;
  const text = unusualTexts[kind]?.(count, countries.map(countryName).join(', '));
  if (text === undefined) return undefined;
  return {
    subject: 'Unusual calls of your company',
    text: `${text} If nobody of the company placed them, a phone or a password is in the wrong hands: revoke the phones' sessions, change passwords, and ask your provider to limit destinations.`,
  };
}

function spendAlert({ month, limit, currency }: EventMessage<'assistant.endpoint.spend_limit_near'>): Alert {
  return {
    subject: 'Most of the monthly limit of your assistants is used',
    text: `The language model of your company's assistants has cost 80 % of the limit for ${month}, ${limit} ${currency}. When all of it is used, assistants go on without the model until the month ends. Admins change the limit in the settings of the model. You get this message once a month.`,
  };
}

function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? code) : '';
}

function digits(number: string): string {
  return number.replaceAll(/[^+\d]/g, '').slice(0, 20);
}
