import type { Accounts } from '../accounts/account-store.ts';
import type { ApiKeys } from '../api-keys/api-key-store.ts';
import type { Grants } from '../grants/grant-store.ts';

/** Ends suspensions when they have lasted for as long as they may, and removes the keys and grants. */
export function startSuspensionEnds(stores: {
  readonly accounts: Accounts;
  readonly apiKeys: ApiKeys;
  readonly grants: Grants;
}): { stop(): Promise<void> } {
  const { accounts, apiKeys, grants } = stores;
  const timers = accounts.startSuspensionEnds();
  const commands = accounts.startCommands<{ remove_credentials: void }>({
    remove_credentials: {
      guarantee: 'until_confirmed',
      async execute({ before }, { companyId, aggregateId }) {
        const account = await accounts.of(companyId).get(aggregateId);
        if (!account) return;
        await apiKeys.revokeAll(account, before);
        await grants.endAll(account, { before });
      },
      needsSettling: () => false,
    },
  });
  return { stop: async () => void (await Promise.all([timers.stop(), commands.stop()])) };
}
