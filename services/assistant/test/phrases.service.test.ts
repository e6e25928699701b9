import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { AssistantService } from '@parley/proto/assistant/v1/assistants_pb';
import { KnowledgeService } from '@parley/proto/assistant/v1/knowledge_pb';
import type { EmployeePrincipal } from '@parley/rpc';
import { waitUntil } from '@parley/testkit';
import { asEmployee } from '@parley/testkit/service';
import { startAssistant, type TestAssistant } from './start-assistant.ts';

let assistant: TestAssistant;
beforeAll(async () => void (assistant = await startAssistant()), 60_000);
afterAll(() => assistant?.stop());

let companyId: string;
let owner: { as: EmployeePrincipal };
beforeEach(() => {
  const company = assistant.directory.createCompany();
  companyId = company.companyId;
  owner = asEmployee(companyId, company.ownerId);
  assistant.numbers.onPrepare = undefined;
});

const assistants = () => assistant.as('gateway').client(AssistantService);
const knowledge = () => assistant.as('gateway').client(KnowledgeService);
const fields = { name: 'Robin', disclosure: 'A machine speaks.', greeting: 'How can I help?' };
const create = async (more: object = {}) =>
  (await assistants().createAssistant({ fields: { ...fields, ...more } }, owner)).assistant!.id;
const know = (answer: string) => knowledge().createKnowledgeEntry({ fields: { title: 'Title', answer } }, owner);
const prepared = () => assistant.numbers.prepared.filter((one) => one.companyId === companyId);
const requestsOf = (name: string) => prepared().filter((one) => one.owner === name);
const latestOf = (name: string, fits: (texts: readonly string[]) => boolean) =>
  waitUntil(() => requestsOf(name).findLast(({ texts }) => fits(texts)), { what: `the phrases of ${name}` });

it('the audio of a new assistant is requested with its first words, at once, before its fixed sentences and its answers', async () => {
  await know('Behind the house.');
  const id = await create();
  await latestOf('knowledge:en:', (texts) => texts.includes('Behind the house.'));
  const [said, fixed, answers] = prepared();
  expect(said).toMatchObject({ owner: `assistant:${id}`, texts: [fields.disclosure, fields.greeting], urgent: true });
  expect(fixed).toMatchObject({ owner: `assistant:${id}:fixed`, urgent: false });
  expect(answers).toMatchObject({ owner: 'knowledge:en:', texts: ['Behind the house.'], urgent: false });
});

it('the audio of an assistant that does not answer is not urgent, and that of a deleted one is not kept', async () => {
  const id = await create({ active: false });
  expect(await latestOf(`assistant:${id}`, (texts) => texts.length === 2)).toMatchObject({ urgent: false });
  await assistants().deleteAssistant({ id }, owner);
  for (const name of [`assistant:${id}`, `assistant:${id}:fixed`, `assistant:${id}:likely`])
    await latestOf(name, (texts) => texts.length === 0);
});

it('many new answers of a company are requested together', async () => {
  await create();
  await latestOf('knowledge:en:', (texts) => texts.length === 0);
  const held = Promise.withResolvers<void>();
  const before = prepared().length;
  assistant.numbers.onPrepare = () => held.promise;
  const answers = Array.from({ length: 40 }, (_, index) => `Answer ${index}.`);
  await Promise.all(answers.map(know));
  held.resolve();
  await latestOf('knowledge:en:', (texts) => texts.length === answers.length);
  expect(prepared().length - before).toBeLessThan(answers.length / 2);
});
