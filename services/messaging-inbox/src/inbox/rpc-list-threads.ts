import { invalid, Refused } from '@parley/errors';
import type { InboxService } from '@parley/proto/messaging_inbox/v1/inbox_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { InboxDeps } from './inbox-deps.ts';
import { ALL_NUMBERS } from '../projection/inbox-item.ts';
import { threadToProto } from './inbox-proto.ts';
import { openCursor, pageLimit, requireNumber } from './inbox-request.ts';
import { type ListedThread, listThreads } from './list-threads-store.ts';
import { QUERY_LENGTH_MAX, type ThreadPosition } from './thread-query.ts';

export const listThreadsRpc =
  (deps: InboxDeps): Handler<typeof InboxService.method.listThreads, EmployeePrincipal> =>
  async (request, { principal: { companyId } }) => {
    const { businessNumberId, unseen } = request;
    const text = request.query?.trim() || undefined;
    if (text !== undefined && [...text].length > QUERY_LENGTH_MAX)
      throw new Refused(invalid({ query: [`is too long (maximum is ${QUERY_LENGTH_MAX} characters)`] }));
    const binding = [companyId, 'inbox', businessNumberId ?? null, text ?? null, unseen];
    const [company] = await Promise.all([deps.companyOf(companyId), requireNumber(deps, companyId, businessNumberId)]);
    const after =
      request.cursor === undefined ? undefined : openCursor<ThreadPosition>(deps.cursors.open(request.cursor, binding));

    const withMessages = company.messagingEnabled;
    const limit = pageLimit(request.limit);
    const query = { scope: businessNumberId ?? ALL_NUMBERS, withMessages, unseen, text };
    const found = await listThreads(deps, companyId, query, { limit: limit + 1, after });
    const page = found.slice(0, limit);
    const last = page.at(-1);

    const [contacts, messages, numbers] = await Promise.all([
      deps.contacts.byPhone(
        companyId,
        page.map(({ thread }) => thread.phone),
      ),
      deps.previewsOf(companyId, page.flatMap(latestMessageId)),
      // Those of the page: a company may have thousands.
      withMessages
        ? deps.numbersOf(
            companyId,
            page.map(({ summary }) => summary.latestItem.businessNumberId),
          )
        : [],
    ]);
    const sending = new Set(numbers.filter((number) => number.canSend).map(({ id }) => id));
    return {
      threads: page.map((listed) =>
        threadToProto(listed, {
          contact: contacts.get(listed.thread.phone),
          message: messages.get(listed.summary.latestItem.id),
          withMessages,
          canSend: (id) => sending.has(id),
        }),
      ),
      ...(found.length > limit && last && { nextCursor: deps.cursors.seal(positionOf(last), binding) }),
    };
  };

function latestMessageId({ summary: { latestItem } }: ListedThread): string[] {
  return latestItem.content.type === 'message' ? [latestItem.id] : [];
}

function positionOf({ thread, summary }: ListedThread): ThreadPosition {
  return { at: summary.lastActivityAt, phone: thread.phone };
}
