import { decided } from '@parley/errors';
import type { Accounts } from '../accounts/account-store.ts';
import { type Alert, hasAlert, planNotification } from '../notifications/notification.ts';

/** Sends an alert to the owners and admins of a company by e-mail; once, however often it is called for the same time. */
export type SendAlert = (companyId: string, alert: Alert, at: Date) => Promise<void>;

export function alertSender({ accounts, wakeMailer }: { accounts: Accounts; wakeMailer: () => void }): SendAlert {
  return async (companyId, alert, at) => {
    for await (const account of accounts.adminsOf(companyId)) {
      const { email: to } = account;
      await accounts
        .of(companyId)
        .changeIfExists(account.id, (current) =>
          decided(
            hasAlert(current, alert, at) ? current : planNotification(current, { about: 'calls', to, alert }, at),
          ),
        );
    }
    wakeMailer();
  };
}
