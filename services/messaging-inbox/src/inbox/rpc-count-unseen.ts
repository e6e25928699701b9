import type { InboxService } from '@parley/proto/messaging_inbox/v1/inbox_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { InboxDeps } from './inbox-deps.ts';
import { ALL_NUMBERS } from '../projection/inbox-item.ts';

const COUNT_MAX = 1_000_000;

export const countUnseenRpc =
  ({ store, companyOf, numbersOf }: InboxDeps): Handler<typeof InboxService.method.countUnseen, EmployeePrincipal> =>
  async (_request, { principal: { companyId } }) => {
    const [company, numbers] = await Promise.all([companyOf(companyId), numbersOf(companyId)]);
    const summary = company.messagingEnabled ? 'withMessages' : 'withoutMessages';
    const count = (scope: string) =>
      store.threads.of(companyId).count(COUNT_MAX, { scope, [`${summary}.unseen`]: true });
    const [unseenCount, ...counts] = await Promise.all([count(ALL_NUMBERS), ...numbers.map(({ id }) => count(id))]);
    return {
      unseenCount,
      numbers: numbers.map(({ id, name }, index) => ({ id, name, unseenCount: counts[index] ?? 0 })),
    };
  };
