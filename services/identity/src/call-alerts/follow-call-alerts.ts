import { decided, notFound, Refused } from '@parley/errors';
import type { Event } from '@parley/events';
import type { CompanyLookupService } from '@parley/proto/directory/v1/company_lookup_pb';
import type { RpcClient } from '@parley/rpc';
import type { FollowsEvents } from '@parley/service';
import type { Accounts } from '../accounts/account-store.ts';
import { type CallAlert, hasAlert, planNotification } from '../notifications/notification.ts';
import { emergencyAlert, limitAlert, unusualAlert } from './call-alert.ts';

/** Sends alerts about a company's calls by e-mail. */
export function followCallAlerts(
  service: FollowsEvents,
  deps: { accounts: Accounts; companies: RpcClient<typeof CompanyLookupService>; wakeMailer: () => void },
): Promise<void> {
  const { accounts, companies, wakeMailer } = deps;

  /** Who is responsible for the company's phones: its owner. */
  async function recipientsOf(companyId: string): Promise<readonly string[]> {
    try {
      const { ownerId } = await companies.lookUpCompany({ id: companyId });
      return ownerId === '' ? [] : [ownerId];
    } catch (error) {
      if (error instanceof Refused && error.refusal.code === notFound.code) return [];
      throw error;
    }
  }

  async function send(alert: CallAlert | undefined, { companyId, occurredAt }: Event): Promise<void> {
    if (!alert) return;
    for (const employeeId of await recipientsOf(companyId)) {
      const account = await accounts.byEmployee(employeeId);
      if (!account) continue;
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
