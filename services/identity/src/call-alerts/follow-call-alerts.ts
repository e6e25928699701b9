import { decided } from '@parley/errors';
import type { Event } from '@parley/events';
import type { FollowsEvents } from '@parley/service';
import type { Accounts } from '../accounts/account-store.ts';
import { type CallAlert, hasAlert, planNotification } from '../notifications/notification.ts';
import { emergencyAlert, limitAlert, unusualAlert } from './call-alert.ts';

/** Sends alerts about a company's calls to its owners and admins by e-mail. */
export function followCallAlerts(
  service: FollowsEvents,
  { accounts, wakeMailer }: { accounts: Accounts; wakeMailer: () => void },
): Promise<void> {
  async function send(alert: CallAlert | undefined, { companyId, occurredAt }: Event): Promise<void> {
    if (!alert) return;
    for await (const account of accounts.adminsOf(companyId)) {
      const { email: to } = account;
      await accounts.of(companyId).changeIfExists(account.id, (current) =>
        // The event may be applied again after a crash.
        decided(
          hasAlert(current, alert, occurredAt)
            ? current
            : planNotification(current, { about: 'calls', to, alert }, occurredAt),
        ),
      );
    }
    wakeMailer();
  }

  return service.follow({
    name: 'identity-call-alerts',
    handlers: {
      'call-control.emergency_call.placed': (message, event) => send(emergencyAlert(message), event),
      'call-control.call_usage.limit_reached': (message, event) => send(limitAlert(message), event),
      'call-control.call_usage.unusual': (message, event) => send(unusualAlert(message), event),
    },
  });
}
