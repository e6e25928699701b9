import { invalid, notFound, Refused } from '@parley/errors';
import { KnowledgeService } from '@parley/proto/assistant/v1/knowledge_pb';
import { type EmployeePrincipal, employees, type Handler, type RpcServer } from '@parley/rpc';
import { newId } from '@parley/secrets';
import type { ServiceContext } from '../service-context.ts';
import type { QuestionPosition, UnansweredQuestions } from '../unanswered-questions/unanswered-question-store.ts';
import {
  createEntry,
  deleteEntry,
  type KnowledgeEntry,
  type KnowledgeEntryChange,
  updateEntry,
} from './knowledge-entry.ts';
import { changeFromProto, entryToProto, questionToProto } from './knowledge-proto.ts';
import { type EntryPosition, ENTRIES_MAX, type Knowledge } from './knowledge-store.ts';

type Deps = ServiceContext & { readonly knowledge: Knowledge; readonly questions: UnansweredQuestions };

const PAGE_MAX = 100;

/** Every RPC of the contract. */
export function addKnowledgeService(server: RpcServer, deps: Deps): void {
  const { knowledge, questions, cursors } = deps;
  const [members, admins] = [employees.withRole('member'), employees.withRole('admin')];
  const accessRules = {
    listKnowledgeEntries: members,
    getKnowledgeEntry: members,
    listUnansweredQuestions: members,
    createKnowledgeEntry: admins,
    updateKnowledgeEntry: admins,
    deleteKnowledgeEntry: admins,
    deleteUnansweredQuestion: admins,
  };

  async function shown(entry: KnowledgeEntry) {
    const used = await knowledge.usedCounts(entry.companyId, [entry.id]);
    return { entry: entryToProto(entry, used.get(entry.id) ?? 0) };
  }

  /** The position in a cursor; undefined for the first page. */
  function positionIn<Position>(cursor: string, scope: readonly string[]): Position | undefined {
    const position = cursor === '' ? undefined : cursors.open(cursor, scope);
    if (cursor !== '' && position === undefined) throw new Refused(invalid({ cursor: ['is invalid'] }));
    return position as Position | undefined;
  }

  server.add(KnowledgeService, accessRules, {
    async listKnowledgeEntries({ query, businessNumberId, limit: wanted, cursor }, { principal: { companyId } }) {
      const scope = ['knowledge', companyId, query, businessNumberId];
      const after = positionIn<EntryPosition>(cursor, scope);
      const limit = pageLimit(wanted);
      // One more than requested, to detect whether there is a next page.
      const found = await knowledge.page(companyId, { query, businessNumberId, limit: limit + 1, after });
      const page = found.slice(0, limit);
      const used = await knowledge.usedCounts(
        companyId,
        page.map(({ id }) => id),
      );
      const last = found.length > limit ? page.at(-1) : undefined;
      return {
        entries: page.map((entry) => entryToProto(entry, used.get(entry.id) ?? 0)),
        ...(last && { nextCursor: cursors.seal({ createdOrder: last.createdOrder, id: last.id }, scope) }),
      };
    },
    async getKnowledgeEntry({ id }, { principal: { companyId } }) {
      const entry = await knowledge.of(companyId).get(id);
      if (!entry) throw new Refused(notFound);
      return shown(entry);
    },
    createKnowledgeEntry: createEntryRpc(deps),
    async updateKnowledgeEntry({ id, fields }, { principal: { companyId } }) {
      const own = knowledge.of(companyId);
      if (!(await own.get(id))) throw new Refused(notFound);
      const change = changeFromProto(fields);
      const facts = await entryFacts(deps, companyId, change);
      return shown(await own.change(id, (current) => updateEntry(current, change, facts)));
    },
    async deleteKnowledgeEntry({ id }, { principal: { companyId } }) {
      await knowledge.remove(companyId, id, deleteEntry);
      return {};
    },
    async listUnansweredQuestions({ limit: wanted, cursor }, { principal: { companyId } }) {
      const scope = ['unanswered', companyId];
      const limit = pageLimit(wanted);
      const found = await questions.page(companyId, limit + 1, positionIn<QuestionPosition>(cursor, scope));
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      return {
        questions: page.map(questionToProto),
        ...(last && { nextCursor: cursors.seal({ askedAtMs: last.askedAt.getTime(), id: last.id }, scope) }),
      };
    },
    async deleteUnansweredQuestion({ id }, { principal: { companyId } }) {
      if (!(await questions.remove(companyId, id))) throw new Refused(notFound);
      return {};
    },
  });
}

/** The question goes last: a crash in between leaves it, to be dismissed. */
const createEntryRpc =
  (deps: Deps): Handler<typeof KnowledgeService.method.createKnowledgeEntry, EmployeePrincipal> =>
  async ({ fields: written, unansweredQuestionId }, { principal: { companyId } }) => {
    const { knowledge, questions, tick } = deps;
    const fields = changeFromProto(written);
    const [facts, isAnswering] = await Promise.all([
      entryFacts(deps, companyId, fields),
      unansweredQuestionId === undefined || questions.exists(companyId, unansweredQuestionId),
    ]);
    if (!isAnswering) throw new Refused(invalid({ unanswered_question_id: ['is not an unanswered question'] }));
    const identity = { id: newId('kno'), companyId, createdOrder: tick() };
    const entry = await knowledge.create(companyId, (slot) => createEntry({ ...identity, slot }, fields, facts));
    if (unansweredQuestionId !== undefined) await questions.remove(companyId, unansweredQuestionId);
    return { entry: entryToProto(entry, 0) };
  };

async function entryFacts(
  { numbers, clock }: Deps,
  companyId: string,
  { businessNumberIds = [] }: KnowledgeEntryChange,
) {
  const unknownNumbers = await numbers.unknownNumbers(companyId, businessNumberIds.slice(0, ENTRIES_MAX));
  return { unknownNumbers, now: clock.now() };
}

function pageLimit(wanted: number): number {
  return Math.min(Math.max(wanted, 1), PAGE_MAX);
}
