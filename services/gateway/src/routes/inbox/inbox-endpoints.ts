import { notFound, Refused } from '@parley/errors';
import { empty, endpoint, json, jsonText } from '@parley/http';
import { decodeList, type EmployeePrincipal } from '@parley/rpc';
import {
  type InboxItem,
  InboxThreadSchema,
  ListThreadsResponseSchema,
  ThreadState,
} from '@parley/proto/messaging_inbox/v1/inbox_pb';
import { z } from 'zod';
import {
  commentJson,
  commentSchema,
  contactJson,
  contactSchema,
  isoMicros,
  itemJson,
  itemSchema,
  threadJson,
  threadSchema,
  threadStates,
} from '@parley/public-json';
import { flag } from '../shared/flag-query.ts';
import { encodedJson } from '../shared/encoded-json.ts';
import { assigneeFilter, numberFilter } from './inbox-filters.ts';
import { microsTime } from './inbox-time.ts';
import type { Clients } from '../../peers/peers.ts';
import { pageCursor, pageLimit } from '../shared/page-query.ts';
import { adds, overwrites, sets } from '../shared/tool-annotations.ts';
import { longText } from '../shared/bounded-text.ts';

export const inboxEndpoints = (clients: Clients) => [
  listThreads(clients),
  updateThread(clients),
  listActivity(clients),
  markThreadSeen(clients),
  markCallsSeen(clients),
  countUnseen(clients),
  createComment(clients),
];

const listThreads = ({ encodedInbox }: Clients) => {
  const rowJson = encodedJson(InboxThreadSchema, threadJson);
  return endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /inbox',
    sdkMethod: 'inbox.list',
    summary: 'List threads',
    description:
      'One thread per external phone number, newest activity first. Texts are omitted while texting is off for the company.',
    query: z.object({
      business_number_id: numberFilter,
      query: z
        .string()
        .max(512)
        .optional()
        .describe(
          'Up to 128 characters: part of a contact’s name, company name, e-mail address or note, or of a phone number',
        ),
      unseen: flag.optional().describe('`true`: only threads with unseen items'),
      assignee_id: assigneeFilter,
      state: z.enum(threadStates).optional().describe('Only threads in this state'),
      limit: pageLimit,
      cursor: pageCursor,
    }),
    responses: { 200: z.object({ threads: z.array(threadSchema), next_cursor: z.string().nullable() }) },
    errors: [404, 422],
    tools: {
      list_inbox: {
        title: 'List the inbox',
        description:
          'Calls, voicemails and texts by customer, newest first. Use `unseen` for what still needs attention.',
        describe: { unseen: z.boolean().optional().describe('true: only threads with unseen items') },
        list: 'threads',
      },
    },
    async handle({ query, context }) {
      const response = await encodedInbox.listThreads(
        {
          businessNumberId: query.business_number_id,
          query: query.query,
          unseen: query.unseen ?? false,
          assigneeId: query.assignee_id,
          state: stateToProto(query.state),
          limit: query.limit,
          cursor: query.cursor,
        },
        { as: context },
      );
      const { items, others } = decodeList(ListThreadsResponseSchema, 'threads', response);
      const nextCursor = JSON.stringify(others.nextCursor ?? null);
      return jsonText(200, `{"threads":[${items.map(rowJson).join(',')}],"next_cursor":${nextCursor}}`);
    },
  });
};

const stateToProto = (state: (typeof threadStates)[number] | undefined) =>
  state === undefined ? ThreadState.UNSPECIFIED : state === 'done' ? ThreadState.DONE : ThreadState.OPEN;

const updateThread = ({ inbox }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'PATCH /inbox/:phone_number',
    sdkMethod: 'inbox.update',
    summary: 'Assign a thread or change its state',
    description:
      'Omitted fields keep their values. A thread that is `done` is `open` again as soon as it has a new call, voicemail or text. 404 for an unknown thread or employee.',
    body: z.object({
      assignee_id: z.string().max(128).nullish().describe('An employee of the company; null for nobody'),
      state: z.enum(threadStates).optional(),
    }),
    responses: { 200: threadSchema },
    errors: [404, 422],
    tools: {
      update_thread: {
        title: 'Assign or close a thread',
        description: 'Assigns a thread to a coworker, or marks it as done or open again.',
        annotations: overwrites,
        rename: { phone_number: 'phone' },
      },
    },
    async handle({ params, body, context }) {
      // In the RPC an empty id means nobody; here it is that of an unknown employee.
      if (body.assignee_id === '') throw new Refused(notFound);
      const { thread } = await inbox.updateThread(
        {
          phoneNumber: params.phone_number,
          ...(body.assignee_id !== undefined && { assigneeId: body.assignee_id ?? '' }),
          state: stateToProto(body.state),
        },
        { as: context },
      );
      if (!thread) throw new Error('a response without its thread');
      return json(200, threadJson(thread));
    },
  });

const listActivity = ({ inbox, voicemails }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /inbox/:phone_number/activity',
    sdkMethod: 'inbox.activity',
    summary: 'List the activity with a phone number',
    description:
      'Newest first, with the team’s comments; a voicemail replaces its call. Further pages show the state observed by the first one. Reading does not mark items as seen: pass `observed_at` unchanged to `seen` to do so.',
    query: z.object({ business_number_id: numberFilter, limit: pageLimit, cursor: pageCursor }),
    responses: {
      200: z.object({
        phone_number: z.string(),
        contact: contactSchema.nullable(),
        items: z.array(itemSchema),
        next_cursor: z.string().nullable(),
        observed_at: z.string().describe('With microseconds'),
      }),
    },
    errors: [404, 422],
    tools: {
      get_thread: {
        title: 'Get a thread',
        description:
          'Calls, voicemails, texts and the team’s comments with one phone number, newest first. Use it to read a conversation before answering; reading marks nothing as seen.',
        rename: { phone_number: 'phone' },
        omit: ['business_number_id'],
        list: 'items',
      },
    },
    async handle({ params, query, context }) {
      const { phoneNumber, contact, items, nextCursor, observedAtMicros } = await inbox.listActivity(
        {
          phoneNumber: params.phone_number,
          businessNumberId: query.business_number_id,
          limit: query.limit,
          cursor: query.cursor,
        },
        { as: context },
      );
      const recordingUrl = await recordingUrls(voicemails, items, context);
      return json(200, {
        phone_number: phoneNumber,
        contact: contact ? contactJson(contact) : null,
        items: items.map((item) => itemJson(item, recordingUrl)),
        next_cursor: nextCursor ?? null,
        observed_at: isoMicros(observedAtMicros),
      });
    },
  });

const markThreadSeen = ({ inbox }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'POST /inbox/:phone_number/seen',
    sdkMethod: 'inbox.markSeen',
    summary: 'Mark activity as seen',
    description:
      'Covers all items stored up to `through`; later items stay unseen. Shared by the team and idempotent. `listened_at` of voicemails does not change.',
    body: z.object({
      through: microsTime.meta({
        type: 'string',
        description: '`observed_at` of the activity, unchanged; not in the future',
      }),
      business_number_id: z.string().max(128).nullish(),
    }),
    responses: { 204: null },
    errors: [404, 422],
    tools: {
      mark_thread_seen: {
        title: 'Mark a thread as seen',
        description:
          'Marks a thread as seen for the whole team, up to `through`, the `observed_at` of get_thread. Use it when the employee has dealt with it.',
        annotations: sets,
        rename: { phone_number: 'phone' },
        omit: ['business_number_id'],
      },
    },
    async handle({ params, body, context }) {
      await inbox.markThreadSeen(
        {
          phoneNumber: params.phone_number,
          throughMicros: body.through,
          businessNumberId: body.business_number_id ?? undefined,
        },
        { as: context },
      );
      return empty(204);
    },
  });

const markCallsSeen = ({ inbox }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'POST /calls/seen',
    sdkMethod: 'calls.markSeen',
    summary: 'Mark calls and voicemails as seen',
    description: 'For one external number or for all, up to `through` (default: now). Texts are not changed.',
    body: z
      .object({
        phone_number: z.string().max(200).nullish(),
        main_number_id: z.string().max(128).nullish(),
        through: microsTime.nullish().meta({ type: 'string', description: 'Not in the future' }),
      })
      .optional(),
    responses: { 204: null },
    errors: [404, 422],
    async handle({ body, context }) {
      await inbox.markCallsSeen(
        {
          phoneNumber: body?.phone_number ?? undefined,
          businessNumberId: body?.main_number_id ?? undefined,
          throughMicros: body?.through ?? undefined,
        },
        { as: context },
      );
      return empty(204);
    },
  });

const countUnseen = ({ inbox }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /activity/unseen',
    sdkMethod: 'activity.getUnseen',
    summary: 'Count people with unseen activity',
    description:
      'Distinct external numbers, in total and by business number; texts are included while texting is on for the company.',
    responses: {
      200: z.object({
        unseen_count: z.int(),
        main_numbers: z.array(z.object({ id: z.string(), name: z.string(), unseen_count: z.int() })),
      }),
    },
    async handle({ context }) {
      const { unseenCount, numbers } = await inbox.countUnseen({}, { as: context });
      return json(200, {
        unseen_count: unseenCount,
        main_numbers: numbers.map(({ id, name, unseenCount: count }) => ({ id, name, unseen_count: count })),
      });
    },
  });

const createComment = ({ comments }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'POST /inbox/:phone_number/comments',
    sdkMethod: 'inbox.comments.create',
    summary: 'Comment on a thread',
    description:
      'For the team only: it is never sent to the customer, neither opens a thread that is done nor counts as unseen. `@` and the beginning of an employee’s name, in whole words (`@Anna`, `@Anna Berg`), mentions the employee, if only one is meant: `mentions` lists them. 404 for an unknown thread.',
    body: z.object({ text: longText(5000).describe('1 to 5,000 characters') }),
    responses: { 201: commentSchema },
    errors: [404, 422],
    tools: {
      comment_on_thread: {
        description:
          'Leaves a note for coworkers in a thread; the customer never sees it. `@Name` mentions a coworker.',
        annotations: adds,
        rename: { phone_number: 'phone' },
      },
    },
    async handle({ params, body, context }) {
      const { comment } = await comments.createComment(
        { phoneNumber: params.phone_number, text: body.text },
        { as: context },
      );
      return json(201, commentJson(comment!));
    },
  });

async function recordingUrls(
  voicemails: Clients['voicemails'],
  items: readonly InboxItem[],
  context: EmployeePrincipal,
): Promise<(voicemailId: string) => string | null> {
  const ids = items.filter(({ content }) => content.case === 'voicemail').map(({ id }) => id);
  if (ids.length === 0) return () => null;
  const found = await voicemails.getVoicemails({ ids }, { as: context });
  const urls = new Map(found.voicemails.map(({ id, recordingUrl }) => [id, recordingUrl]));
  return (id) => urls.get(id) ?? null;
}
