import type { InboxService } from '@parley/proto/messaging_inbox/v1/inbox_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { InboxDeps } from './inbox-deps.ts';
import { ALL_NUMBERS } from '../projection/inbox-item.ts';
import { externalNumber, pastTime, requireNumber } from './inbox-request.ts';
import { markSeen } from './mark-seen-store.ts';

export const markCallsSeenRpc =
  (deps: InboxDeps): Handler<typeof InboxService.method.markCallsSeen, EmployeePrincipal> =>
  async ({ phoneNumber, businessNumberId, throughMicros }, { principal: { companyId } }) => {
    const company = await deps.companyOf(companyId);
    await requireNumber(deps, companyId, businessNumberId);
    const at = deps.nowMicros();
    const through = throughMicros === undefined ? Number.MAX_SAFE_INTEGER : pastTime(throughMicros, at);
    const phones =
      phoneNumber === undefined
        ? await phonesWithUnseenCalls(deps, companyId, businessNumberId ?? ALL_NUMBERS)
        : [await externalNumber(deps.store, companyId, phoneNumber, company.country)];
    let changed = false;
    for (const phone of phones) {
      const mark = { companyId, phone, businessNumberId, through, withMessages: false, at };
      if (await markSeen(deps.store, deps.projection, mark)) changed = true;
    }
    if (changed) deps.live.publish(companyId, { type: 'unseen_update' });
    return {};
  };

async function phonesWithUnseenCalls({ store }: InboxDeps, companyId: string, scope: string): Promise<string[]> {
  const phones: string[] = [];
  const unseen = store.threads
    .of(companyId)
    .find({ scope, 'withoutMessages.unseen': true }, { 'withoutMessages.lastActivityAt': -1 });
  for await (const { phone } of unseen) phones.push(phone);
  return phones;
}
