import { openDocuments } from '@parley/aggregates';
import { decided } from '@parley/errors';
import { newId } from '@parley/secrets';
import type { ServiceContext } from '../service-context.ts';

/** What a caller asked and nothing fitted. */
interface StoredQuestion {
  readonly id: string;
  readonly companyId: string;
  readonly callId: string;
  readonly businessNumberId: string;
  /** E.164 of the caller, or "anonymous": what is stored of a person is found by it. */
  readonly phone: string;
  /** Encrypted for the context of `questionContext(id)`. */
  readonly encryptedText: string;
  readonly askedAt: Date;
}

export interface UnansweredQuestion extends Omit<StoredQuestion, 'encryptedText'> {
  readonly text: string;
}

/** The end of a page: its last question. */
export interface QuestionPosition {
  readonly askedAtMs: number;
  readonly id: string;
}

export type UnansweredQuestions = Awaited<ReturnType<typeof openUnansweredQuestions>>;

/** Of a company. */
const KEPT_MAX = 1000;
/** Removed at once at most; the next question removes what is left. */
const REMOVED_MAX = 100;
const PORTION = 100;
const NEWEST_FIRST = { askedAt: -1, id: -1 } as const;
const OLDEST_FIRST = { askedAt: 1 } as const;

export const questionContext = (id: string) => `unanswered_question/${id}/text`;

export async function openUnansweredQuestions({ db, encryptor }: Pick<ServiceContext, 'db' | 'encryptor'>) {
  const questions = await openDocuments<StoredQuestion>({
    db,
    collection: 'unanswered_questions',
    indexes: [
      { name: 'company_newest', key: { companyId: 1, askedAt: -1, _id: -1 } },
      { name: 'company_phone', key: { companyId: 1, phone: 1 } },
      { name: 'company_call', key: { companyId: 1, callId: 1 } },
    ],
  });
  const read = ({ encryptedText, ...question }: StoredQuestion): UnansweredQuestion => ({
    ...question,
    text: encryptor.decrypt(encryptedText, questionContext(question.id)),
  });

  async function removeAll(companyId: string, ids: readonly { id: string }[]): Promise<number> {
    for (const { id } of ids) await questions.of(companyId).changeIfExists(id, () => decided(null));
    return ids.length;
  }

  return {
    /** Stores one. The newest 1,000 of a company are kept. */
    async add(
      question: Pick<UnansweredQuestion, 'companyId' | 'callId' | 'businessNumberId' | 'phone' | 'text' | 'askedAt'>,
    ): Promise<void> {
      const { text, ...others } = question;
      const own = questions.of(question.companyId);
      const id = newId('unq');
      await own.create(decided({ ...others, id, encryptedText: encryptor.encrypt(text, questionContext(id)) }));
      const newest = await own.findFields(['id'], {}, NEWEST_FIRST, KEPT_MAX + REMOVED_MAX, 'company_newest');
      await removeAll(question.companyId, newest.slice(KEPT_MAX));
    },
    /** Newest first. */
    async page(
      companyId: string,
      limit: number,
      after: QuestionPosition | undefined,
    ): Promise<readonly UnansweredQuestion[]> {
      const askedAt = after && new Date(after.askedAtMs);
      const filter = askedAt ? { $or: [{ askedAt: { $lt: askedAt } }, { askedAt, id: { $lt: after.id } }] } : {};
      const own = questions.of(companyId);
      return (await Array.fromAsync(own.find(filter, NEWEST_FIRST, limit, 'company_newest'))).map(read);
    },
    async exists(companyId: string, id: string): Promise<boolean> {
      return (await questions.of(companyId).get(id)) !== undefined;
    },
    /** False when there is none. */
    async remove(companyId: string, id: string): Promise<boolean> {
      return (await questions.of(companyId).changeIfExists(id, () => decided(null))) !== undefined;
    },
    /** Those of a call whose texts are not kept. */
    async removeOfCall(companyId: string, callId: string): Promise<void> {
      for (;;) {
        const found = await questions.of(companyId).findFields(['id'], { callId }, {}, PORTION);
        await removeAll(companyId, found);
        if (found.length < PORTION) return;
      }
    },
    /** The oldest of a company until a time, a portion of them. How many were removed. */
    async removeOldest(companyId: string, until: Date): Promise<{ removed: number; isDone: boolean }> {
      const found = await questions
        .of(companyId)
        .findFields(['id'], { askedAt: { $lte: until } }, OLDEST_FIRST, PORTION);
      return { removed: await removeAll(companyId, found), isDone: found.length < PORTION };
    },
    /** A portion of what a person asked until a time. */
    async removeOfPerson(companyId: string, phone: string, until: Date): Promise<{ removed: number; isDone: boolean }> {
      const filter = { phone, askedAt: { $lte: until } };
      const found = await questions.of(companyId).findFields(['id'], filter, {}, PORTION);
      return { removed: await removeAll(companyId, found), isDone: found.length < PORTION };
    },
    /** What a person asked until a time, for an export. */
    async ofPerson(companyId: string, phone: string, until: Date): Promise<readonly UnansweredQuestion[]> {
      const filter = { phone, askedAt: { $lte: until } };
      return (await Array.fromAsync(questions.of(companyId).find(filter, OLDEST_FIRST, KEPT_MAX))).map(read);
    },
  };
}
