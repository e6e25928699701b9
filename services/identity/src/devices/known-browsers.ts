import type { DeletedCompany, ErasureStep } from '@parley/personal-data';
import type { Accounts } from '../accounts/account-store.ts';
import type { Devices } from './device-store.ts';

/** Accounts that one portion looks at. */
const PORTION = 100;

/** The browsers that employees of a deleted company have signed in with: they belong to employees, not to companies. */
export function knownBrowsers(deps: {
  readonly accounts: Accounts;
  readonly devices: Devices;
}): ErasureStep<DeletedCompany> {
  return {
    name: 'known_browsers',
    async erase({ companyId }, after) {
      const filter = after === '' ? {} : { id: { $gt: after } };
      const page = await deps.accounts.of(companyId).findFields(['employeeId'], filter, { id: 1 }, PORTION);
      for (const { employeeId } of page) await deps.devices.removeAll(employeeId);
      return { removed: 0, next: page.length < PORTION ? undefined : page.at(-1)?.id };
    },
  };
}
