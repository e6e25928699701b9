import type { InboxService } from '@parley/proto/messaging_inbox/v1/inbox_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { InboxDeps } from './inbox-deps.ts';
import { externalNumber, pastTime, requireNumber } from './inbox-request.ts';
import { observe } from './list-activity-store.ts';
import { markSeen } from './mark-seen-store.ts';

export const markThreadSeenRpc =
  (deps: InboxDeps): Handler<typeof InboxService.method.markThreadSeen, EmployeePrincipal> =>
  async ({ phoneNumber, businessNumberId, throughMicros }, { principal: { companyId } }) => {
    const company = await deps.companyOf(companyId);
    const phone = await externalNumber(deps.store, companyId, phoneNumber, company.country);
    await requireNumber(deps, companyId, businessNumberId);
    const query = { companyId, phone, businessNumberId, withMessages: company.messagingEnabled };
    // An observation may be a moment ahead of this process's clock: storage times grow within a thread.
    const observed = (await observe(deps.store, query)) ?? 0;
    const now = deps.nowMicros();
    const through = pastTime(throughMicros, Math.max(now, observed));
    if (await markSeen(deps.store, deps.projection, { ...query, through, at: now }))
      deps.live.publish(companyId, { type: 'unseen_update' });
    return {};
  };
