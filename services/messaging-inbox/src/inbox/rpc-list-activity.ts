import type { InboxService } from '@parley/proto/messaging_inbox/v1/inbox_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { InboxDeps } from './inbox-deps.ts';
import { contactToProto, itemToProto } from './inbox-proto.ts';
import { externalNumber, openCursor, pageLimit, requireNumber } from './inbox-request.ts';
import { type ActivityPosition, listActivity, observeAny } from './list-activity-store.ts';

export const listActivityRpc =
  (deps: InboxDeps): Handler<typeof InboxService.method.listActivity, EmployeePrincipal> =>
  async (request, { principal: { companyId } }) => {
    const { businessNumberId } = request;
    const company = await deps.companyOf(companyId);
    const phone = await externalNumber(deps.store, companyId, request.phoneNumber, company.country);
    await requireNumber(deps, companyId, businessNumberId);
    const binding = [companyId, 'activity', phone, businessNumberId ?? null];
    const after =
      request.cursor === undefined
        ? undefined
        : openCursor<ActivityPosition>(deps.cursors.open(request.cursor, binding));

    const limit = pageLimit(request.limit);
    const query = { companyId, phone, businessNumberId, withMessages: company.messagingEnabled };
    const observedAt = after?.observedAt ?? (await observeAny(deps.store, query, deps.nowMicros));
    const found = await listActivity(deps.store, query, { limit: limit + 1, observedAt, after });
    const page = found.slice(0, limit);
    const last = page.at(-1);

    const [contacts, numbers] = await Promise.all([
      deps.contacts.byPhone(companyId, [phone]),
      deps.numbersOf(
        companyId,
        page.map((item) => item.businessNumberId),
      ),
    ]);
    const texts = page.filter(({ content }) => content.type === 'message').map(({ id }) => id);
    const messages = await deps.messagesOf(companyId, texts, numbers);
    const contact = contacts.get(phone);
    const nameOf = (id: string) => numbers.find((number) => number.id === id)?.name;
    const position = last && { observedAt, at: last.createdAt, id: last.id };
    return {
      phoneNumber: phone,
      ...(contact && { contact: contactToProto(contact) }),
      items: page.flatMap((item) => itemToProto(item, nameOf(item.businessNumberId), messages.get(item.id)) ?? []),
      ...(found.length > limit && position && { nextCursor: deps.cursors.seal(position, binding) }),
      observedAtMicros: BigInt(observedAt),
    };
  };
