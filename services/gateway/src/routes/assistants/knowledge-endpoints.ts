import type { MessageInitShape } from '@bufbuild/protobuf';
import { boundedArray, empty, endpoint, json } from '@parley/http';
import type {
  KnowledgeEntry,
  KnowledgeEntryFieldsSchema,
  UnansweredQuestion,
} from '@parley/proto/assistant/v1/knowledge_pb';
import { isoTimeOf } from '@parley/public-json';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { boundedText, lineText, longText } from '../shared/bounded-text.ts';
import { pageCursor, pageLimit } from '../shared/page-query.ts';
import { adds, overwrites } from '../shared/tool-annotations.ts';

export const knowledgeEndpoints = (clients: Clients) => [
  listKnowledgeEntries(clients),
  createKnowledgeEntry(clients),
  getKnowledgeEntry(clients),
  updateKnowledgeEntry(clients),
  deleteKnowledgeEntry(clients),
  listUnansweredQuestions(clients),
  deleteUnansweredQuestion(clients),
];

/** What the company wrote down for its assistants, as partners see it. */
const entrySchema = z
  .object({
    id: z.string(),
    title: z.string(),
    answer: z.string(),
    questions: z.array(z.string()),
    text: z.string().nullable(),
    business_number_ids: z.array(z.string()),
    active: z.boolean(),
    valid_until: z.string().nullable(),
    used_count: z.int().describe('Answers in the last 90 days'),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'KnowledgeEntry' });

const questionSchema = z
  .object({
    id: z.string(),
    text: z.string(),
    call_id: z.string(),
    business_number_id: z.string(),
    asked_at: z.string(),
  })
  .meta({ id: 'UnansweredQuestion' });

const QUESTIONS_MAX = 20;
const NUMBERS_MAX = 500;

/** Null is nothing; a blank text is a mistake. */
const isGiven = (text: string) => text.trim() !== '';

const entryFields = {
  title: lineText(120).describe('1 to 120 characters'),
  answer: longText(600).describe('What is said, 1 to 600 characters'),
  questions: boundedArray(lineText(200), QUESTIONS_MAX).describe('Other ways to ask; replaces the list'),
  text: longText(320)
    .refine(isGiven, { error: 'must not be blank' })
    .nullable()
    .describe('What is sent as a text, 1 to 320 characters; links are https'),
  business_number_ids: boundedArray(z.string().max(64), NUMBERS_MAX).describe(
    'The numbers it is for; empty for all. Replaces the list',
  ),
  active: z.boolean(),
  valid_until: boundedText(10)
    .refine(isGiven, { error: 'is not a date (YYYY-MM-DD)' })
    .nullable()
    .describe('The last day it is used, as YYYY-MM-DD in the number’s time zone'),
};

const entryChange = z.object(entryFields).partial();

function entryMessage(body: z.output<typeof entryChange>): MessageInitShape<typeof KnowledgeEntryFieldsSchema> {
  const { title, answer, questions, text, business_number_ids: ids, active, valid_until: validUntil } = body;
  return {
    title,
    answer,
    ...(questions && { questions: { questions } }),
    text: text === null ? '' : text,
    ...(ids && { businessNumbers: { ids } }),
    active,
    validUntil: validUntil === null ? '' : validUntil,
  };
}

function entryJson(entry: KnowledgeEntry): z.output<typeof entrySchema> {
  return {
    id: entry.id,
    title: entry.title,
    answer: entry.answer,
    questions: entry.questions,
    text: entry.text ?? null,
    business_number_ids: entry.businessNumberIds,
    active: entry.active,
    valid_until: entry.validUntil ?? null,
    used_count: entry.usedCount,
    created_at: isoTimeOf(entry.createdAt),
    updated_at: isoTimeOf(entry.updatedAt),
  };
}

function questionJson({ id, text, callId, businessNumberId, askedAt }: UnansweredQuestion) {
  return { id, text, call_id: callId, business_number_id: businessNumberId, asked_at: isoTimeOf(askedAt) };
}

const listKnowledgeEntries = ({ knowledge }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /knowledge_entries',
    sdkMethod: 'knowledgeEntries.list',
    summary: 'List knowledge entries',
    description: 'What the company wrote down for its assistants, newest first.',
    query: z.object({
      query: z.string().max(512).optional().describe('Beginnings of words in title, answer or questions'),
      business_number_id: z.string().max(100).optional().describe('Only what is used for this number'),
      limit: pageLimit,
      cursor: pageCursor,
    }),
    responses: { 200: z.object({ knowledge_entries: z.array(entrySchema), next_cursor: z.string().nullable() }) },
    errors: [422],
    tools: {
      list_knowledge_entries: {
        description: 'What the assistants on the phone answer from. Search here before adding an entry.',
        omit: ['business_number_id'],
        list: 'knowledge_entries',
      },
    },
    async handle({ query, context }) {
      const page = await knowledge.listKnowledgeEntries(
        {
          query: query.query ?? '',
          businessNumberId: query.business_number_id ?? '',
          limit: query.limit,
          cursor: query.cursor ?? '',
        },
        { as: context },
      );
      return json(200, { knowledge_entries: page.entries.map(entryJson), next_cursor: page.nextCursor ?? null });
    },
  });

const createKnowledgeEntry = ({ knowledge }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'POST /knowledge_entries',
    sdkMethod: 'knowledgeEntries.create',
    summary: 'Create a knowledge entry',
    description: 'At most 500 in a company. Calls in progress use it from the next turn.',
    body: entryChange.extend({
      title: entryFields.title,
      answer: entryFields.answer,
      unanswered_question_id: boundedText(64).nullish().describe('The question that it answers, which is removed'),
    }),
    responses: { 201: entrySchema },
    errors: { 422: 'limit_reached' },
    tools: {
      create_knowledge_entry: {
        description: 'Writes an answer down for the assistants on the phone. It is said to callers word for word.',
        annotations: adds,
        omit: ['business_number_ids', 'active'],
      },
    },
    async handle({ body, context }) {
      const { unanswered_question_id: questionId, ...fields } = body;
      const request = { fields: entryMessage(fields), unansweredQuestionId: questionId ?? undefined };
      const { entry } = await knowledge.createKnowledgeEntry(request, { as: context });
      return json(201, entryJson(entry!));
    },
  });

const getKnowledgeEntry = ({ knowledge }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /knowledge_entries/:id',
    sdkMethod: 'knowledgeEntries.get',
    summary: 'Read a knowledge entry',
    description: 'What callers ask, and what the assistants say.',
    responses: { 200: entrySchema },
    errors: [404],
    async handle({ params, context }) {
      const { entry } = await knowledge.getKnowledgeEntry({ id: params.id }, { as: context });
      return json(200, entryJson(entry!));
    },
  });

const updateKnowledgeEntry = ({ knowledge }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'PATCH /knowledge_entries/:id',
    sdkMethod: 'knowledgeEntries.update',
    summary: 'Update a knowledge entry',
    description: 'Omitted fields keep their values; lists are replaced. Calls in progress use it from the next turn.',
    body: entryChange,
    responses: { 200: entrySchema },
    errors: [404, 422],
    tools: {
      update_knowledge_entry: {
        description: 'Changes the given fields of an entry for the assistants on the phone.',
        annotations: overwrites,
        omit: ['business_number_ids'],
      },
    },
    // An unknown entry is 404, whatever the fields are.
    async beforeRefusing({ params, context }) {
      await knowledge.getKnowledgeEntry({ id: params.id }, { as: context });
      return undefined;
    },
    async handle({ params, body, context }) {
      const request = { id: params.id, fields: entryMessage(body) };
      const { entry } = await knowledge.updateKnowledgeEntry(request, { as: context });
      return json(200, entryJson(entry!));
    },
  });

const deleteKnowledgeEntry = ({ knowledge }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'DELETE /knowledge_entries/:id',
    sdkMethod: 'knowledgeEntries.delete',
    summary: 'Delete a knowledge entry',
    description: 'Assistants do not use it from their next turn.',
    responses: { 204: null },
    errors: [404],
    async handle({ params, context }) {
      await knowledge.deleteKnowledgeEntry({ id: params.id }, { as: context });
      return empty(204);
    },
  });

const listUnansweredQuestions = ({ knowledge }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /unanswered_questions',
    sdkMethod: 'unansweredQuestions.list',
    summary: 'List unanswered questions',
    description: 'What callers asked an assistant and no entry fitted, newest first; the newest 1,000 are kept.',
    query: z.object({ limit: pageLimit, cursor: pageCursor }),
    responses: {
      200: z.object({ unanswered_questions: z.array(questionSchema), next_cursor: z.string().nullable() }),
    },
    errors: [422],
    tools: {
      list_unanswered_questions: {
        description: 'What callers asked the assistants on the phone without an answer: entries to write.',
        list: 'unanswered_questions',
      },
    },
    async handle({ query, context }) {
      const request = { limit: query.limit, cursor: query.cursor ?? '' };
      const { questions, nextCursor = null } = await knowledge.listUnansweredQuestions(request, { as: context });
      return json(200, { unanswered_questions: questions.map(questionJson), next_cursor: nextCursor });
    },
  });

const deleteUnansweredQuestion = ({ knowledge }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'DELETE /unanswered_questions/:id',
    sdkMethod: 'unansweredQuestions.delete',
    summary: 'Dismiss an unanswered question',
    operationId: 'deleteUnansweredQuestion',
    description:
      'Without an answer. `unanswered_question_id` of a new knowledge entry removes the one that it answers.',
    responses: { 204: null },
    errors: [404],
    async handle({ params, context }) {
      await knowledge.deleteUnansweredQuestion({ id: params.id }, { as: context });
      return empty(204);
    },
  });
