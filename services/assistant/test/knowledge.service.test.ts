import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { systemClock } from '@parley/clock';
import { idleRelay } from '@parley/aggregates/idle-relay';
import { KnowledgeService } from '@parley/proto/assistant/v1/knowledge_pb';
import type { EmployeePrincipal, RpcClient } from '@parley/rpc';
import { encryptor, newId } from '@parley/secrets';
import { documentQueryPlan, longestStepMs, waitUntil } from '@parley/testkit';
import { asEmployee, withRole } from '@parley/testkit/service';
import { type Knowledge, openKnowledge } from '../src/knowledge/knowledge-store.ts';
import {
  openUnansweredQuestions,
  type UnansweredQuestions,
} from '../src/unanswered-questions/unanswered-question-store.ts';
import { startAssistant, type TestAssistant } from './start-assistant.ts';

const key = randomBytes(32).toString('base64');
let assistant: TestAssistant;
let here: RpcClient<typeof KnowledgeService>;
let there: RpcClient<typeof KnowledgeService>;
/** As sessions of another process have them. */
let knowledge: Knowledge;
let questions: UnansweredQuestions;
beforeAll(async () => {
  assistant = await startAssistant({ ENCRYPTION_KEY: key });
  here = assistant.as('gateway').client(KnowledgeService);
  there = (await assistant.replica()).as('gateway').client(KnowledgeService);
  knowledge = await openKnowledge({ db: assistant.db, relay: idleRelay(), clock: systemClock });
  questions = await openUnansweredQuestions({ db: assistant.db, encryptor: encryptor(key) });
}, 60_000);
afterAll(() => assistant?.stop());

let companyId: string;
let owner: { as: EmployeePrincipal };
beforeEach(() => {
  const company = assistant.directory.createCompany();
  companyId = company.companyId;
  owner = asEmployee(companyId, company.ownerId);
});

const fields = { title: 'Parking', answer: 'You can park behind the house.' };
const create = async (more: object = {}) =>
  (await here.createKnowledgeEntry({ fields: { ...fields, ...more } }, owner)).entry!;
const list = (more: object = {}) =>
  there.listKnowledgeEntries({ query: '', businessNumberId: '', limit: 100, cursor: '', ...more }, owner);
const titles = async (more: object = {}) => (await list(more)).entries.map(({ title }) => title);
const ask = (text: string, more: object = {}) =>
  questions.add({
    companyId,
    callId: 'cal_1',
    businessNumberId: 'num_1',
    phone: '+4520304050',
    text,
    askedAt: new Date(),
    ...more,
  });
const unanswered = async (limit = 100, cursor = '') => here.listUnansweredQuestions({ limit, cursor }, owner);

describe('knowledge entries', () => {
  it('knowledge entries are listed newest first, page by page', async () => {
    for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) await create({ title });
    const found: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page = await list({ limit: 2, cursor });
      found.push(...page.entries.map(({ title }) => title));
      cursor = page.nextCursor;
    }
    expect(found).toEqual(['Five', 'Four', 'Three', 'Two', 'One']);
    const { nextCursor } = await list({ limit: 2 });
    await expect(list({ limit: 2, cursor: nextCursor, query: 'one' })).rejects.toMatchObject({
      refusal: { fields: { cursor: ['is invalid'] } },
    });
  });

  it('knowledge entries are found by the beginnings of words in title, answer and questions', async () => {
    await create({ title: 'Opening at Easter', answer: 'We are closed on Good Friday.' });
    await create({ title: 'Café', answer: 'Cake', questions: { questions: ['Do you serve coffee, tea?'] } });
    expect(await titles({ query: 'cafe' })).toEqual(['Café']);
    expect(await titles({ query: 'TEA cof' })).toEqual(['Café']);
    expect(await titles({ query: 'frid' })).toEqual(['Opening at Easter']);
    expect(await titles({ query: 'c' })).toEqual(['Café', 'Opening at Easter']);
    expect(await titles({ query: 'offee' })).toEqual([]);
    expect(await titles({ query: '$^.* ' })).toEqual(['Café', 'Opening at Easter']);
  });

  it('knowledge entries of a number are those for it and those for all', async () => {
    const [one, two] = [assistant.numbers.addNumber(companyId), assistant.numbers.addNumber(companyId)];
    await create({ title: 'All' });
    await create({ title: 'One', businessNumbers: { ids: [one.id] } });
    await create({ title: 'Both', businessNumbers: { ids: [one.id, two.id] } });
    expect(await titles({ businessNumberId: one.id })).toEqual(['Both', 'One', 'All']);
    expect(await titles({ businessNumberId: two.id })).toEqual(['Both', 'All']);
    expect(await titles({ businessNumberId: newId('num') })).toEqual(['All']);
  });

  it('knowledge entries are for numbers of the company', async () => {
    const foreign = assistant.numbers.addNumber(assistant.directory.createCompany().companyId);
    for (const id of [foreign.id, newId('num'), 'x'])
      await expect(create({ businessNumbers: { ids: [id] } })).rejects.toMatchObject({
        refusal: { fields: { 'business_number_ids[0]': ['is not a business number of the company'] } },
      });
  });

  it('knowledge entries are changed by admins, and unknown to other companies', async () => {
    const { id } = await create();
    const member = withRole(owner, 'member');
    expect((await here.getKnowledgeEntry({ id }, member)).entry).toMatchObject({ id, usedCount: 0 });
    for (const request of [
      here.createKnowledgeEntry({ fields }, member),
      here.updateKnowledgeEntry({ id, fields }, member),
      here.deleteKnowledgeEntry({ id }, member),
      here.deleteUnansweredQuestion({ id }, member),
    ])
      await expect(request).rejects.toMatchObject({ refusal: { code: 'forbidden' } });
    const stranger = asEmployee(assistant.directory.createCompany().companyId);
    for (const request of [
      here.getKnowledgeEntry({ id }, stranger),
      here.updateKnowledgeEntry({ id, fields: { title: '' } }, stranger),
      here.deleteKnowledgeEntry({ id }, stranger),
    ])
      await expect(request).rejects.toMatchObject({ refusal: { code: 'not_found' } });
  });

  it('a change of a knowledge entry reaches the sessions of every process within two seconds', async () => {
    const { id } = await create({ questions: { questions: ['Where can I park?'] } });
    const active = async () => (await knowledge.active(companyId)).map(({ answer }) => answer);
    expect(await active()).toEqual([fields.answer]);
    await there.updateKnowledgeEntry({ id, fields: { answer: 'In the street.' } }, owner);
    await waitUntil(async () => (await active())[0] === 'In the street.', { what: 'the change', timeoutMs: 2000 });
    await here.updateKnowledgeEntry({ id, fields: { active: false } }, owner);
    await waitUntil(async () => (await active()).length === 0, { what: 'the end', timeoutMs: 2000 });
  });

  it('uses of a knowledge entry are counted, and end with it', async () => {
    const [one, two] = [await create(), await create()];
    await Promise.all(Array.from({ length: 10 }, () => knowledge.noteUses(companyId, [one.id, one.id])));
    const counts = (await list()).entries.map(({ id, usedCount }) => [id, usedCount]);
    expect(counts).toEqual([
      [two.id, 0],
      [one.id, 10],
    ]);
    await here.deleteKnowledgeEntry({ id: one.id }, owner);
    expect(await knowledge.usedCounts(companyId, [one.id])).toEqual(new Map());
  });

  it('five hundred knowledge entries are the most, and listing or searching them takes no long step', async () => {
    const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');
    const long = {
      title: words(15),
      answer: words(75),
      questions: { questions: Array.from({ length: 20 }, (_, index) => `${index} ${words(25)}`) },
    };
    for (let index = 0; index < 500; index += 25) await Promise.all(Array.from({ length: 25 }, () => create(long)));
    await expect(create()).rejects.toMatchObject({ refusal: { code: 'limit_reached' } });
    expect(await longestStepMs(async () => void (await list({ query: 'word1 word7' })))).toBeLessThan(50);
    expect(await longestStepMs(async () => void (await knowledge.active(companyId)))).toBeLessThan(50);
  }, 120_000);

  it('knowledge entries are read with queries that use an index', async () => {
    const plan = await documentQueryPlan(
      assistant.db,
      'knowledge_entries',
      { companyId },
      { sort: { createdOrder: -1, _id: -1 } },
    );
    expect(plan).toMatchObject({ index: 'company_newest', isUnindexed: false });
  });
});

describe('unanswered questions', () => {
  it('unanswered questions are listed newest first, page by page', async () => {
    for (let index = 0; index < 5; index += 1)
      await ask(`Question ${index}`, { askedAt: new Date(Date.UTC(2026, 2, 1, 12, 0, Math.floor(index / 2))) });
    const found: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page = await unanswered(2, cursor);
      found.push(...page.questions.map(({ text }) => text));
      cursor = page.nextCursor;
    }
    expect(found).toHaveLength(5);
    expect(new Set(found).size).toBe(5);
    expect(found[0]).toBe('Question 4');
  });

  it('unanswered questions are not readable in the database', async () => {
    await ask('Do you treat alpacas?');
    const stored = await assistant.db.collection('unanswered_questions').find({ companyId }, { raw: true }).toArray();
    expect(Buffer.concat(stored as unknown as Buffer[]).includes('alpacas')).toBe(false);
    expect((await unanswered()).questions).toMatchObject([
      { id: expect.stringMatching(/^unq_/), text: 'Do you treat alpacas?', callId: 'cal_1', businessNumberId: 'num_1' },
    ]);
  });

  it('an unanswered question goes when it is answered, or dismissed', async () => {
    await ask('One?');
    await ask('Two?');
    const [two, one] = (await unanswered()).questions;
    const answering = (id: string, as = owner) => here.createKnowledgeEntry({ fields, unansweredQuestionId: id }, as);
    await answering(one!.id);
    expect((await unanswered()).questions).toEqual([two]);
    await expect(answering(one!.id)).rejects.toMatchObject({
      refusal: { fields: { unanswered_question_id: [expect.any(String)] } },
    });
    const stranger = asEmployee(assistant.directory.createCompany().companyId);
    await expect(answering(two!.id, stranger)).rejects.toMatchObject({ refusal: { code: 'validation_failed' } });
    await expect(here.deleteUnansweredQuestion({ id: two!.id }, stranger)).rejects.toMatchObject({
      refusal: { code: 'not_found' },
    });
    await here.deleteUnansweredQuestion({ id: two!.id }, owner);
    expect((await unanswered()).questions).toEqual([]);
    expect(await titles()).toEqual(['Parking']);
  });

  it('an unanswered question stays when its answer is refused', async () => {
    await ask('One?');
    const [one] = (await unanswered()).questions;
    const request = { fields: { title: 'x', answer: '' }, unansweredQuestionId: one!.id };
    await expect(here.createKnowledgeEntry(request, owner)).rejects.toMatchObject({
      refusal: { fields: { answer: ['must not be blank'] } },
    });
    expect((await unanswered()).questions).toHaveLength(1);
  });

  it('the newest thousand unanswered questions are kept', async () => {
    const collection = assistant.db.collection('unanswered_questions');
    await ask('The first one');
    const [first] = await collection.find({ companyId }).toArray();
    const { _id: _first, ...copied } = first!;
    const text = (index: number) =>
      encryptor(key).encrypt(`Old ${index}`, `unanswered_question/unq_${companyId}_${index}/text`);
    await collection.insertMany(
      Array.from({ length: 1010 }, (_, index) => ({
        ...copied,
        _id: `unq_${companyId}_${index}` as never,
        askedAt: new Date(Date.UTC(2026, 0, 1) + index * 1000),
        encryptedText: text(index),
      })),
    );
    await ask('The last one');
    expect(await collection.countDocuments({ companyId, _deleted: { $ne: true } })).toBe(1000);
    expect((await unanswered(3)).questions.map((question) => question.text)).toEqual([
      'The last one',
      'The first one',
      'Old 1009',
    ]);
  });

  it('unanswered questions of a call can be removed', async () => {
    await ask('One?');
    await ask('Two?', { callId: 'cal_2' });
    await questions.removeOfCall(companyId, 'cal_1');
    expect((await unanswered()).questions.map(({ text }) => text)).toEqual(['Two?']);
  });
});
