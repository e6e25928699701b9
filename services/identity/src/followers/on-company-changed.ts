import type { EventHandler } from '@parley/events';
import type { FollowerDeps } from './follower-deps.ts';

/** Both events carry the same snapshot. */
export const onCompanyChanged =
  ({ companyRules }: FollowerDeps): EventHandler<'directory.company.created' | 'directory.company.updated'> =>
  async ({ company }) => {
    if (company) await companyRules.save(company);
  };
