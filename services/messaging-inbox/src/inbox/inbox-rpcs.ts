import { toBinary } from '@bufbuild/protobuf';
import { invalid, notFound, Refused } from '@parley/errors';
import { newId } from '@parley/secrets';
import { batch, batching, sharedResult } from '@parley/queues';
import {
  InboxService,
  type ListThreadsRequest,
  ListThreadsRequestSchema,
  ListThreadsResponseSchema,
} from '@parley/proto/messaging_inbox/v1/inbox_pb';
import {
  type EmployeePrincipal,
  employees,
  type EncodedHandler,
  encodeList,
  type Handler,
  type RpcServer,
} from '@parley/rpc';
import { type SignedTokens, signedTokens } from '@parley/secrets';
import {
  commentItem,
  contactToProto,
  itemToProto,
  type ShownMessage,
  stateFromProto,
  type ThreadContext,
  threadToProto,
} from './inbox-proto.ts';
import { externalNumber, openCursor, pageLimit, pastTime, requireNumber } from './inbox-request.ts';
import { type ActivityPosition, listActivity, observe, observeAny } from './list-activity-store.ts';
import {
  type ListedThread,
  listedThread,
  listThreads,
  QUERY_LENGTH_MAX,
  type ThreadPosition,
} from './list-threads-store.ts';
import { markSeen } from './mark-seen-store.ts';
import { type TextPreviews, textPreviews } from './text-previews.ts';
import { threadRows } from './thread-rows.ts';
import { commentToProto, employeesIn } from '../comments/comment-proto.ts';
import { isComment, newestFirst } from '../comments/comment.ts';
import { ALL_NUMBERS } from '../projection/inbox-item.ts';
import { observedUntil, threadId } from '../projection/thread.ts';
import type { Texting } from '../start-texting.ts';
import type { ServiceContext } from '../service-context.ts';
import type { InboxParts } from '../start-inbox.ts';
import { type Assignee, changeHandling } from '../threads/thread-handling.ts';

type InboxDeps = InboxParts &
  Pick<ServiceContext, 'directory' | 'numbers'> &
  Pick<Texting, 'messages' | 'views'> & { readonly cursors: SignedTokens; readonly previewsOf: TextPreviews };

/** Every RPC of the contract. */
export function addInboxService(
  server: RpcServer,
  { config, directory, numbers }: ServiceContext,
  inbox: InboxParts,
  { messages, views }: Texting,
): void {
  const cursors = signedTokens(config.ENCRYPTION_KEY, 'inbox cursors');
  const deps = { ...inbox, directory, numbers, messages, views, cursors, previewsOf: textPreviews(messages) };
  server.add(InboxService, employees.withRole('member'), {
    listThreads: listThreadsRpc(deps),
    updateThread: updateThreadRpc(deps),
    listActivity: listActivityRpc(deps),
    markThreadSeen: markThreadSeenRpc(deps),
    markCallsSeen: markCallsSeenRpc(deps),
    countUnseen: countUnseenRpc(deps),
  });
}

/** A list is the same for all employees of a company, and after a change their dashboards request it at the same time. */
function listThreadsRpc(deps: InboxDeps): EncodedHandler<typeof InboxService.method.listThreads, EmployeePrincipal> {
  const encode = threadRows();
  const read = batch(
    sharedResult(([first]: readonly { companyId: string; request: ListThreadsRequest }[]) =>
      encodedThreads(deps, encode, first!.companyId, first!.request),
    ),
    { ...batching.sharedLists, keyBy: ({ companyId, request }) => `${companyId} ${bytesOf(request)}` },
  );
  return (request, { principal: { companyId } }) => read({ companyId, request });
}

const bytesOf = (request: ListThreadsRequest) =>
  Buffer.from(toBinary(ListThreadsRequestSchema, request)).toString('latin1');

async function encodedThreads(
  deps: InboxDeps,
  encode: ReturnType<typeof threadRows>,
  companyId: string,
  request: ListThreadsRequest,
): Promise<Uint8Array> {
  const { businessNumberId, unseen, assigneeId } = request;
  const state = stateFromProto(request.state);
  const text = request.query?.trim() || undefined;
  if (text !== undefined && [...text].length > QUERY_LENGTH_MAX)
    throw new Refused(invalid({ query: [`is too long (maximum is ${QUERY_LENGTH_MAX} characters)`] }));
  const handling = assigneeId === undefined && state === undefined ? [] : [assigneeId ?? null, state ?? null];
  const binding = [companyId, 'inbox', businessNumberId ?? null, text ?? null, unseen, ...handling];
  const [company] = await Promise.all([
    deps.directory.company(companyId),
    requireNumber(deps, companyId, businessNumberId),
    assigneeId === undefined ? undefined : requireEmployee(deps, companyId, assigneeId),
  ]);
  const after =
    request.cursor === undefined ? undefined : openCursor<ThreadPosition>(deps.cursors.open(request.cursor, binding));

  const withMessages = company.messagingEnabled;
  const limit = pageLimit(request.limit);
  const query = { scope: businessNumberId ?? ALL_NUMBERS, withMessages, unseen, text, assigneeId, state };
  const found = await listThreads(deps, companyId, query, { limit: limit + 1, after });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const contextOf = await readContexts(deps, companyId, page, withMessages);
  return encodeList(
    ListThreadsResponseSchema,
    'threads',
    page.map((listed) => encode(listed, contextOf(listed))),
    found.length > limit && last ? { nextCursor: deps.cursors.seal(positionOf(last), binding) } : {},
  );
}

const updateThreadRpc =
  (deps: InboxDeps): Handler<typeof InboxService.method.updateThread, EmployeePrincipal> =>
  async (request, { principal: { companyId } }) => {
    const { messagingEnabled: withMessages, country } = await deps.directory.company(companyId);
    const phone = await externalNumber(deps.store, companyId, request.phoneNumber, country);
    const read = () => deps.store.threads.of(companyId).get(threadId(companyId, ALL_NUMBERS, phone));
    const { assigneeId } = request;
    const [thread, assignee] = await Promise.all([
      read(),
      assigneeId ? requireEmployee(deps, companyId, assigneeId) : null,
    ]);
    if (!thread || !listedThread(thread, withMessages)) throw new Refused(notFound);
    const state = stateFromProto(request.state);
    const change = { ...(assigneeId !== undefined && { assignee }), ...(state && { state }) };
    // Items that have a storage time and are not visible yet were not seen by the employee who closes the thread.
    const subject = { id: newId('thr'), companyId, phone, lastStoredAt: observedUntil(thread) };
    const handling = await deps.handlings.changeByPhone(companyId, phone, (current) =>
      changeHandling(current, subject, change),
    );
    await deps.copies.copy(handling);
    const changed = await read();
    const listed = changed && listedThread(changed, withMessages);
    if (!listed) throw new Refused(notFound);
    const contextOf = await readContexts(deps, companyId, [listed], withMessages);
    return { thread: threadToProto(listed, contextOf(listed)) };
  };

/** What threads are shown with: their contacts, previews, senders and assignees. */
async function readContexts(
  deps: InboxDeps,
  companyId: string,
  page: readonly ListedThread[],
  withMessages: boolean,
): Promise<(listed: ListedThread) => ThreadContext> {
  const [contacts, messages, numbers, names] = await Promise.all([
    deps.contacts.byPhone(
      companyId,
      page.map(({ thread }) => thread.phone),
    ),
    deps.previewsOf(companyId, page.flatMap(latestMessageId)),
    // Those of the page: a company may have thousands.
    withMessages
      ? deps.numbers.listOf(
          companyId,
          page.map(({ summary }) => summary.latestItem.businessNumberId),
        )
      : [],
    deps.directory.activeNames(
      companyId,
      page.flatMap(({ thread }) => thread.handling?.assigneeId ?? []),
    ),
  ]);
  const sending = new Set(numbers.filter((number) => number.canSend).map(({ id }) => id));
  const canSend = (id: string) => sending.has(id);
  const nameOf = (employeeId: string) => names.get(employeeId);
  return ({ thread, summary }) => ({
    contact: contacts.get(thread.phone),
    message: messages.get(summary.latestItem.id),
    withMessages,
    canSend,
    nameOf,
    texts: deps.texts,
  });
}

/** Throws `Refused` when the company has no such employee who is active. */
async function requireEmployee({ directory }: InboxDeps, companyId: string, id: string): Promise<Assignee> {
  const name = (await directory.activeNames(companyId, [id])).get(id);
  if (name === undefined) throw new Refused(notFound);
  return { id, name };
}

function latestMessageId({ summary: { latestItem } }: ListedThread): string[] {
  return latestItem.content.type === 'message' ? [latestItem.id] : [];
}

function positionOf({ thread, summary }: ListedThread): ThreadPosition {
  return { at: summary.lastActivityAt, phone: thread.phone };
}

const listActivityRpc =
  (deps: InboxDeps): Handler<typeof InboxService.method.listActivity, EmployeePrincipal> =>
  async (request, { principal: { companyId } }) => {
    const { businessNumberId } = request;
    const company = await deps.directory.company(companyId);
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
    const read = { limit: limit + 1, observedAt, after };
    const [items, comments] = await Promise.all([
      listActivity(deps.store, query, read),
      deps.comments.newest(companyId, phone, read),
    ]);
    const found = newestFirst(items, comments);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const ofPage = page.flatMap((one) => (isComment(one) ? [] : [one]));

    const [contacts, numbers, names] = await Promise.all([
      deps.contacts.byPhone(companyId, [phone]),
      deps.numbers.listOf(
        companyId,
        ofPage.map((item) => item.businessNumberId),
      ),
      deps.directory.employeeNames(companyId, employeesIn(page.filter(isComment))),
    ]);
    const texts = ofPage.filter(({ content }) => content.type === 'message').map(({ id }) => id);
    const stored = await deps.messages.byIds(companyId, texts);
    // The items tell whether they were seen.
    const shown = await deps.views.show(companyId, stored, true, { numbers, seen: new Map() });
    const messages = new Map(shown.map((message) => [message.id ?? '', message as ShownMessage]));
    const contact = contacts.get(phone);
    const nameOf = (id: string) => numbers.find((number) => number.id === id)?.name;
    const position = last && { observedAt, at: last.createdAt, id: last.id };
    return {
      phoneNumber: phone,
      ...(contact && { contact: contactToProto(contact) }),
      items: page.flatMap((item) =>
        isComment(item)
          ? commentItem(commentToProto(item, deps.comments.textOf(item), names))
          : (itemToProto(item, nameOf(item.businessNumberId), messages.get(item.id), deps.texts) ?? []),
      ),
      ...(found.length > limit && position && { nextCursor: deps.cursors.seal(position, binding) }),
      observedAtMicros: BigInt(observedAt),
    };
  };

const markThreadSeenRpc =
  (deps: InboxDeps): Handler<typeof InboxService.method.markThreadSeen, EmployeePrincipal> =>
  async ({ phoneNumber, businessNumberId, throughMicros }, { principal: { companyId } }) => {
    const company = await deps.directory.company(companyId);
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

const markCallsSeenRpc =
  (deps: InboxDeps): Handler<typeof InboxService.method.markCallsSeen, EmployeePrincipal> =>
  async ({ phoneNumber, businessNumberId, throughMicros }, { principal: { companyId } }) => {
    const company = await deps.directory.company(companyId);
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

const COUNT_MAX = 1_000_000;

const countUnseenRpc =
  ({ store, directory, numbers }: InboxDeps): Handler<typeof InboxService.method.countUnseen, EmployeePrincipal> =>
  async (_request, { principal: { companyId } }) => {
    const [company, listed] = await Promise.all([directory.company(companyId), numbers.listOf(companyId)]);
    const summary = company.messagingEnabled ? 'withMessages' : 'withoutMessages';
    const count = (scope: string) =>
      store.threads.of(companyId).count(COUNT_MAX, { scope, [`${summary}.unseen`]: true });
    const [unseenCount, ...counts] = await Promise.all([count(ALL_NUMBERS), ...listed.map(({ id }) => count(id))]);
    return {
      unseenCount,
      numbers: listed.map(({ id, name }, index) => ({ id, name, unseenCount: counts[index] ?? 0 })),
    };
  };
