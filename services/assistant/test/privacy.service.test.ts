import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { filesIn } from '@parley/personal-data';
import { KnowledgeService } from '@parley/proto/assistant/v1/knowledge_pb';
import { AssistantService } from '@parley/proto/assistant/v1/assistants_pb';
import { AssistantEndpointService } from '@parley/proto/assistant/v1/endpoint_pb';
import { PersonalDataService } from '@parley/proto/privacy/v1/personal_data_pb';
import { encryptor } from '@parley/secrets';
import { documentQueryPlan, waitUntil } from '@parley/testkit';
import { asEmployee } from '@parley/testkit/service';
import {
  openUnansweredQuestions,
  type UnansweredQuestions,
} from '../src/unanswered-questions/unanswered-question-store.ts';
import { startAssistant, type TestAssistant } from './start-assistant.ts';

const PERSON = '+4520304050';
const OTHER = '+4531323334';
const key = randomBytes(32).toString('base64');
let assistant: TestAssistant;
let questions: UnansweredQuestions;
beforeAll(async () => {
  assistant = await startAssistant({ ENCRYPTION_KEY: key });
  questions = await openUnansweredQuestions({ db: assistant.db, encryptor: encryptor(key) });
}, 60_000);
afterAll(() => assistant?.stop());

let companyId: string;
beforeEach(() => void ({ companyId } = assistant.directory.createCompany()));

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3600 * 1000);
const ask = (text: string, phone = PERSON, askedAt = new Date()) =>
  questions.add({ companyId, callId: 'cal_1', businessNumberId: 'num_1', phone, text, askedAt });
const left = async (of = companyId) => (await questions.page(of, 1000, undefined)).map(({ text }) => text).toSorted();
const personalData = () => assistant.as('directory').client(PersonalDataService);

/** Runs an erasure to its end, one portion after the other. */
async function run(erase: (position: string) => Promise<{ removed: number; position: string; done: boolean }>) {
  let removed = 0;
  for (let position = ''; ;) {
    const portion = await erase(position);
    removed += portion.removed;
    if (portion.done) return removed;
    ({ position } = portion);
  }
}

const erasePerson = (phoneNumber: string, before: Date) =>
  run((position) =>
    personalData().erasePerson({ companyId, phoneNumber, before: timestampFromDate(before), position }),
  );

it('what a person asked is removed with the person, in portions, and nothing else', async () => {
  for (let index = 0; index < 120; index += 1) await ask(`Question ${index}`, PERSON, daysAgo(1));
  await ask('Somebody else’s', OTHER, daysAgo(1));
  await ask('Asked afterwards');
  expect(await erasePerson(PERSON, daysAgo(0.5))).toBe(120);
  expect(await left()).toEqual(['Asked afterwards', 'Somebody else’s']);
  expect(await erasePerson(PERSON, daysAgo(0.5))).toBe(0);
}, 60_000);

it('what a person asked is in the export of the person', async () => {
  await ask('Do you treat alpacas?', PERSON, daysAgo(1));
  await ask('Something else?', OTHER, daysAgo(1));
  const before = timestampFromDate(new Date());
  const files: Record<string, unknown> = {};
  for await (const { name, content } of filesIn(
    personalData().exportPerson({ companyId, phoneNumber: PERSON, before }),
  ))
    files[name] = JSON.parse(Buffer.concat(await Array.fromAsync(content)).toString());
  expect(files['assistant/unanswered_questions.json']).toEqual([
    {
      id: expect.stringMatching(/^unq_/),
      text: 'Do you treat alpacas?',
      call_id: 'cal_1',
      business_number_id: 'num_1',
      asked_at: expect.any(String),
    },
  ]);
});

it('unanswered questions are kept as long as transcripts', async () => {
  await ask('Old', PERSON, daysAgo(31));
  await ask('New', PERSON, daysAgo(29));
  const settings = { transcriptsDays: 30 };
  await assistant.publish('directory.retention.changed', { settings }, { companyId, aggregateId: companyId });
  await waitUntil(async () => (await left()).length === 1, { what: 'the removal', timeoutMs: 60_000 });
  expect(await left()).toEqual(['New']);
}, 90_000);

it('unanswered questions are found by person, by call and by age with an index', async () => {
  const filters = [{ phone: PERSON }, { callId: 'cal_1' }, { askedAt: { $lte: new Date() } }];
  for (const filter of filters) {
    const plan = await documentQueryPlan(assistant.db, 'unanswered_questions', { companyId, ...filter }, {});
    expect(plan).toMatchObject({ index: expect.any(String), isUnindexed: false });
  }
});

it('a company is removed with everything it has here, and no other company is touched', async () => {
  const fill = async (of: string) => {
    const owner = asEmployee(of);
    const gateway = assistant.as('gateway');
    await gateway.client(AssistantService).createAssistant({ fields: { name: 'Robin', greeting: 'Hello' } }, owner);
    await gateway.client(KnowledgeService).createKnowledgeEntry({ fields: { title: 'A', answer: 'B' } }, owner);
    await gateway
      .client(AssistantEndpointService)
      .putAssistantEndpoint({ url: 'https://1.1.1.1/v1', model: 'm', key: { case: 'apiKey', value: 'sk' } }, owner);
    await questions.add({
      companyId: of,
      callId: 'c',
      businessNumberId: 'n',
      phone: OTHER,
      text: 'Why?',
      askedAt: new Date(),
    });
  };
  const other = assistant.directory.createCompany().companyId;
  await fill(companyId);
  await fill(other);
  const stored = async (of: string) => {
    const names = (await assistant.db.listCollections().toArray()).map(({ name }) => name);
    const ids = await Promise.all(
      names.map((name) => assistant.db.collection(name).distinct('_id', { companyId: of })),
    );
    return ids.flat().map(String);
  };
  const before = await stored(other);
  await run((position) => personalData().eraseCompany({ companyId, position }));
  expect(await stored(companyId)).toEqual([]);
  // More may be added meanwhile.
  expect(await stored(other)).toEqual(expect.arrayContaining(before));
}, 60_000);

it('people and companies are erased by directory only', async () => {
  const request = assistant.as('webhooks').client(PersonalDataService).eraseCompany({ companyId, position: '' });
  await expect(request).rejects.toMatchObject({ refusal: { code: 'forbidden' } });
});
