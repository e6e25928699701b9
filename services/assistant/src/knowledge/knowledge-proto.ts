import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type {
  KnowledgeEntryFields,
  KnowledgeEntrySchema,
  UnansweredQuestionSchema,
} from '@parley/proto/assistant/v1/knowledge_pb';
import type { UnansweredQuestion } from '../unanswered-questions/unanswered-question-store.ts';
import type { KnowledgeEntry, KnowledgeEntryChange } from './knowledge-entry.ts';

export function entryToProto(entry: KnowledgeEntry, usedCount: number): MessageInitShape<typeof KnowledgeEntrySchema> {
  const { id, title, answer, questions, text, businessNumberIds, active, validUntil, createdAt, updatedAt } = entry;
  return {
    id,
    title,
    answer,
    questions: [...questions],
    ...(text !== null && { text }),
    businessNumberIds: [...businessNumberIds],
    active,
    ...(validUntil !== null && { validUntil }),
    usedCount,
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
  };
}

/** Absent fields stay absent. */
export function changeFromProto(fields: KnowledgeEntryFields | undefined): KnowledgeEntryChange {
  const { title, answer, questions, text, businessNumbers, active, validUntil } = fields ?? {};
  return {
    ...(title !== undefined && { title }),
    ...(answer !== undefined && { answer }),
    ...(questions && { questions: questions.questions }),
    ...(text !== undefined && { text: text === '' ? null : text }),
    ...(businessNumbers && { businessNumberIds: businessNumbers.ids }),
    ...(active !== undefined && { active }),
    ...(validUntil !== undefined && { validUntil: validUntil === '' ? null : validUntil }),
  };
}

export function questionToProto(question: UnansweredQuestion): MessageInitShape<typeof UnansweredQuestionSchema> {
  const { id, text, callId, businessNumberId, askedAt } = question;
  return { id, text, callId, businessNumberId, askedAt: timestampFromDate(askedAt) };
}
