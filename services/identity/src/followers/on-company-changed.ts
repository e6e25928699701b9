import type { EventHandler } from '@parley/events';
import { verifyAgain } from '../accounts/account.ts';
import type { FollowerDeps } from './follower-deps.ts';

/** Both events carry the same snapshot. */
export const onCompanyChanged =
  ({ companyRules, accounts }: FollowerDeps): EventHandler<'directory.company.created' | 'directory.company.updated'> =>
  async ({ company }) => {
    if (!company) return;
    await companyRules.save(company);
    if (!company.suspended) return;
    // Ends live connections, softphone sessions and their registrations: they work again with what is made after the suspension.
    for await (const chunk of accounts.of(company.id).findInChunks({}, { id: 1 }))
      for (const { id } of chunk) await accounts.of(company.id).changeIfExists(id, verifyAgain);
  };
