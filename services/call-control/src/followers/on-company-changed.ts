import type { EventHandler } from '@parley/events';
import type { CallRunner } from '../calls/store/call-runner.ts';
import type { Calls } from '../calls/store/call-store.ts';

/** Ends the calls of a company that is suspended; new ones are rejected when they arrive. */
export const onCompanyChanged =
  ({ calls, runner }: { calls: Calls; runner: CallRunner }): EventHandler<'directory.company.updated'> =>
  async ({ company }) => {
    if (!company?.suspended) return;
    for (const { id } of await calls.openOf(company.id))
      await runner.apply({ companyId: company.id, id }, { type: 'company_suspended' });
  };
