import { isDeepStrictEqual } from 'node:util';
import { type Audited, type AuditEntry, type AuditType, changedFields } from '@parley/actor';
import { type Decision, decided, refused } from '@parley/errors';
import { uniqueTerms, wordsOf } from '@parley/text';
import { collectProblems, type Problems } from '../fields/problems.ts';

/** Something that callers ask, with its answer. */
export interface KnowledgeEntry {
  readonly id: string;
  readonly companyId: string;
  readonly title: string;
  readonly answer: string;
  /** Other ways to ask. */
  readonly questions: readonly string[];
  /** What is sent as a text; null when there is nothing to send. */
  readonly text: string | null;
  /** The numbers it is for; empty for all. */
  readonly businessNumberIds: readonly string[];
  readonly active: boolean;
  /** The last day it is used, as YYYY-MM-DD in the time zone of the called number; null without an end. */
  readonly validUntil: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Orders entries by creation, also within a millisecond. */
  readonly createdOrder: number;
  /** Unique within the company and below the cap, which makes the cap exact. */
  readonly slot: number;
  /** The words of title, answer and questions; absent where a list is read. */
  readonly searchTerms?: readonly string[];
}

export interface KnowledgeEntryEvent extends Audited {
  readonly type:
    | 'assistant.knowledge_entry.created'
    | 'assistant.knowledge_entry.updated'
    | 'assistant.knowledge_entry.deleted';
  readonly entryId: string;
}

/** The fields a user edits; of a change those that stay are absent. */
export type KnowledgeEntryChange = Partial<
  Pick<KnowledgeEntry, 'title' | 'answer' | 'questions' | 'text' | 'businessNumberIds' | 'active' | 'validUntil'>
>;

interface EntryFacts {
  /** Those of the named numbers that are not the company's. */
  readonly unknownNumbers: ReadonlySet<string>;
  readonly now: Date;
}

type EntryDecision = Decision<KnowledgeEntry, KnowledgeEntryEvent>;

const TITLE_LENGTH_MAX = 120;
const ANSWER_LENGTH_MAX = 600;
const QUESTIONS_MAX = 20;
const QUESTION_LENGTH_MAX = 200;
const TEXT_LENGTH_MAX = 320;
/** Entries that can be for a number; an entry for more is for all. */
const NUMBERS_MAX = 500;
/** An entry of the longest texts has about as many words. */
const TERMS_MAX = 1000;

const defaults = { questions: [], text: null, businessNumberIds: [], active: true, validUntil: null } as const;

export function createEntry(
  identity: Pick<KnowledgeEntry, 'id' | 'companyId' | 'createdOrder' | 'slot'>,
  fields: KnowledgeEntryChange,
  facts: EntryFacts,
): EntryDecision {
  const problems = collectProblems();
  for (const field of ['title', 'answer'] as const) if (fields[field] === undefined) problems.add(field, 'is required');
  checkChange(fields, [], facts, problems);
  const wrong = problems.refusal();
  if (wrong) return refused(wrong);
  const entry = withDerived({
    ...identity,
    ...defaults,
    title: '',
    answer: '',
    ...fields,
    createdAt: facts.now,
    updatedAt: facts.now,
  });
  return decided(entry, [eventOf('created', undefined, entry)]);
}

/** A change without effect emits no event. */
export function updateEntry(current: KnowledgeEntry, change: KnowledgeEntryChange, facts: EntryFacts): EntryDecision {
  const problems = collectProblems();
  checkChange(change, current.businessNumberIds, facts, problems);
  const wrong = problems.refusal();
  if (wrong) return refused(wrong);
  const entry = withDerived({ ...current, ...change });
  if (isDeepStrictEqual(entry, current)) return decided(current);
  const updated = { ...entry, updatedAt: facts.now };
  return decided(updated, [eventOf('updated', current, updated)]);
}

export function deleteEntry(current: KnowledgeEntry): Decision<null, KnowledgeEntryEvent> {
  return decided(null, [eventOf('deleted', current, undefined)]);
}

/** Beginnings of words, all of which an entry must have. */
export function entryTerms(text: string, countMax = TERMS_MAX): string[] {
  const words = wordsOf(text).flatMap((word) => word.split(/[^\p{L}\p{N}]+/u));
  return uniqueTerms(
    words.filter((word) => word !== ''),
    countMax,
  );
}

/** Numbers that the entry has already are not looked at: one may have been released since. */
function checkChange(
  change: KnowledgeEntryChange,
  known: readonly string[],
  { unknownNumbers }: EntryFacts,
  problems: Problems,
): void {
  const { title, answer, questions = [], text, businessNumberIds = [], validUntil } = change;
  if (title !== undefined) problems.text('title', title, TITLE_LENGTH_MAX);
  if (answer !== undefined) problems.text('answer', answer, ANSWER_LENGTH_MAX);
  if (problems.list('questions', questions, QUESTIONS_MAX))
    for (const [index, question] of questions.entries())
      problems.text(`questions[${index}]`, question, QUESTION_LENGTH_MAX);
  if (typeof text === 'string') {
    problems.text('text', text, TEXT_LENGTH_MAX);
    if (hasUnsafeLink(text)) problems.add('text', 'must have https links only');
  }
  if (problems.list('business_number_ids', businessNumberIds, NUMBERS_MAX))
    for (const [index, id] of businessNumberIds.entries())
      if (unknownNumbers.has(id) && !known.includes(id))
        problems.add(`business_number_ids[${index}]`, 'is not a business number of the company');
  if (typeof validUntil === 'string' && !isDay(validUntil)) problems.add('valid_until', 'is not a date (YYYY-MM-DD)');
}

/** A link of another scheme: `http://…`, `javascript:…`. A time, such as 10:30, is none. */
function hasUnsafeLink(text: string): boolean {
  const schemes = text.matchAll(
    /(?<![\p{L}\p{N}])([a-z][a-z0-9+.-]*):(?=\/\/)|(?<![\p{L}\p{N}])(javascript|data|file|vbscript):/giu,
  );
  return [...schemes].some(([, scheme, other]) => (scheme ?? other)?.toLowerCase() !== 'https');
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function withDerived(entry: KnowledgeEntry): KnowledgeEntry {
  const { title, answer, questions, businessNumberIds } = entry;
  return {
    ...entry,
    businessNumberIds: [...new Set(businessNumberIds)],
    searchTerms: entryTerms([title, answer, ...questions].join(' ')),
  };
}

/** At least one of the two states is present. */
function eventOf(
  fact: 'created' | 'updated' | 'deleted',
  before: KnowledgeEntry | undefined,
  after: KnowledgeEntry | undefined,
): KnowledgeEntryEvent {
  const { id } = (after ?? before)!;
  return {
    type: `assistant.knowledge_entry.${fact}`,
    entryId: id,
    audit: auditOf(`knowledge_entry.${fact}`, before, after),
  };
}

/** Of texts, the title among them, only that they have changed is recorded. */
function auditOf(type: AuditType, before: KnowledgeEntry | undefined, after: KnowledgeEntry | undefined): AuditEntry {
  const { id = '' } = after ?? before ?? {};
  const changes = changedFields(auditedFields(before), auditedFields(after), {
    hidden: ['title', 'answer', 'questions', 'text'],
  });
  return { type, object: { type: 'knowledge_entry', id, name: '' }, changes };
}

function auditedFields(entry: KnowledgeEntry | undefined): Record<string, unknown> {
  if (!entry) return {};
  return {
    title: entry.title,
    answer: entry.answer,
    questions: entry.questions,
    text: entry.text,
    business_number_ids: entry.businessNumberIds,
    active: entry.active,
    valid_until: entry.validUntil,
  };
}
