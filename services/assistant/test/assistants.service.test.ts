import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  AssistantEngine,
  AssistantReferenceService,
  AssistantService,
  EndpointSource,
} from '@parley/proto/assistant/v1/assistants_pb';
import type { EmployeePrincipal, RpcClient } from '@parley/rpc';
import { newId } from '@parley/secrets';
import { documentQueryPlan, waitUntil } from '@parley/testkit';
import { asEmployee, employeeMessage, withRole } from '@parley/testkit/service';
import { startAssistant, type TestAssistant } from './start-assistant.ts';

let assistant: TestAssistant;
let here: RpcClient<typeof AssistantService>;
let there: RpcClient<typeof AssistantService>;
beforeAll(async () => {
  assistant = await startAssistant();
  here = assistant.as('gateway').client(AssistantService);
  there = (await assistant.replica()).as('gateway').client(AssistantService);
}, 60_000);
afterAll(() => assistant?.stop());

let companyId: string;
let owner: { as: EmployeePrincipal };
beforeEach(() => {
  const company = assistant.directory.createCompany();
  companyId = company.companyId;
  owner = asEmployee(companyId, company.ownerId);
  assistant.numbers.withAssistant = () => [];
  assistant.directory.onCheck = undefined;
  assistant.speech.broken = false;
});

const fields = { name: 'Robin', greeting: 'How can I help?' };
const create = async (more: object = {}) =>
  (await here.createAssistant({ fields: { ...fields, ...more } }, owner)).assistant!;
const lookUp = async (ids: string[], of = companyId) =>
  (await assistant.as('numbers-routing').client(AssistantReferenceService).lookUpAssistants({ companyId: of, ids }))
    .assistants;
const target = (more: object) => ({ targets: [{ name: 'Sales', aliases: [], employeeIds: [], ...more }] });
const refusedWith = (code: string) => ({ refusal: { code } });

describe('assistants', () => {
  it('assistants are listed oldest first, at every replica', async () => {
    const created = [await create(), await create({ name: 'Alex' })];
    expect((await there.listAssistants({}, owner)).assistants).toEqual(created);
    expect((await there.getAssistant({ id: created[1]!.id }, withRole(owner, 'member'))).assistant?.name).toBe('Alex');
  });

  it('assistants are changed by admins only', async () => {
    const { id } = await create();
    const member = withRole(owner, 'member');
    const requests = [
      here.createAssistant({ fields }, member),
      here.updateAssistant({ id, fields }, member),
      here.deleteAssistant({ id }, member),
    ];
    for (const request of requests) await expect(request).rejects.toMatchObject(refusedWith('forbidden'));
  });

  it('assistants of another company are unknown', async () => {
    const { id } = await create();
    const stranger = asEmployee(assistant.directory.createCompany().companyId);
    for (const given of [id, newId('ast')]) {
      const requests = [
        here.getAssistant({ id: given }, stranger),
        here.updateAssistant({ id: given, fields: { greeting: '' } }, stranger),
        here.deleteAssistant({ id: given }, stranger),
      ];
      for (const request of requests) await expect(request).rejects.toMatchObject(refusedWith('not_found'));
    }
    expect(await lookUp([id], stranger.as.companyId)).toEqual([]);
  });

  it('assistants are twenty at most, however many are created at once', async () => {
    const replicas = [here, there];
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) => replicas[index % 2]!.createAssistant({ fields }, owner)),
    );
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(refused).toHaveLength(10);
    expect(refused.map(({ refusal }) => refusal.code)).toEqual(refused.map(() => 'limit_reached'));
    expect((await here.listAssistants({}, owner)).assistants).toHaveLength(20);
  });

  it('assistants are found with queries that use an index', async () => {
    for (const filter of [{ companyId }, { companyId, targetIds: 'emp_1' }]) {
      const plan = await documentQueryPlan(assistant.db, 'assistants', filter, { sort: { createdOrder: 1 } });
      expect(plan).toMatchObject({ index: expect.any(String), isUnindexed: false });
    }
  });

  it('events of assistants have no texts', async () => {
    const events = await assistant.record('assistant.assistant.*');
    const { id } = await create({ instructions: 'Never mention the strike.' });
    await here.updateAssistant({ id, fields: { greeting: 'Good day from the bakery.' } }, owner);
    await here.deleteAssistant({ id }, owner);
    await waitUntil(() => events.length === 3, { what: 'three events' });
    expect(events.map(({ type }) => type.split('.').at(-1))).toEqual(['created', 'updated', 'deleted']);
    expect(Buffer.from(JSON.stringify(events)).toString()).not.toMatch(/strike|bakery/);
    for (const { data, audit } of events)
      expect(`${Buffer.from(data).toString()}${JSON.stringify(audit)}`).not.toMatch(/strike|bakery|help/);
  });
});

describe('languages and voices', () => {
  it('languages and voices are those of the speech engines', async () => {
    expect(await here.getAssistantOptions({}, withRole(owner, 'member'))).toMatchObject({
      languages: ['en'],
      voices: ['test-en', 'test-de'],
      endpointSource: EndpointSource.NONE,
    });
    await expect(create({ language: 'da' })).rejects.toMatchObject({
      refusal: { fields: { language: expect.any(Array) } },
    });
    await expect(create({ voice: 'alloy' })).rejects.toMatchObject({
      refusal: { fields: { voice: expect.any(Array) } },
    });
    expect(await create({ voice: 'test-de' })).toMatchObject({ voice: 'test-de' });
  });

  it('an assistant in English is created without a speech engine', async () => {
    assistant.speech.broken = true;
    expect(await create({ language: 'en', voice: '' })).toMatchObject({ language: 'en' });
  });
});

describe('transfer targets', () => {
  it('transfer targets are employees of the company', async () => {
    const stranger = assistant.directory.addEmployee();
    const ids = [owner.as.employeeId, stranger.id, 'nobody'];
    await expect(create({ transferTargets: target({ employeeIds: ids }) })).rejects.toMatchObject({
      refusal: {
        fields: {
          'transfer_targets[0].employee_ids[1]': ['is not an employee of the company'],
          'transfer_targets[0].employee_ids[2]': ['is not an employee of the company'],
        },
      },
    });
  });

  it('phone numbers of transfer targets are read as those of ForwardConfig', async () => {
    const own = assistant.numbers.addNumber(companyId);
    const phone = (phoneNumber: string) => create({ transferTargets: target({ phoneNumber }) });
    expect((await phone('20 30 40 50')).transferTargets).toMatchObject([
      { phoneNumber: '+4520304050', employeeIds: [] },
    ]);
    for (const wrong of ['hello', '112', own.number])
      await expect(phone(wrong)).rejects.toMatchObject({
        refusal: { fields: { 'transfer_targets[0].phone_number': [expect.any(String)] } },
      });
    await expect(phone('+1 212 555 0123')).rejects.toMatchObject(refusedWith('destination_not_allowed'));
  });

  it('a removed employee leaves the targets of all assistants', async () => {
    const eva = assistant.directory.addEmployee({ companyId });
    const { id } = await create({ transferTargets: target({ employeeIds: [eva.id, owner.as.employeeId] }) });
    const other = await create({ transferTargets: target({ employeeIds: [eva.id] }) });
    assistant.directory.deleteEmployee(eva.id);
    const about = { companyId, aggregateId: eva.id };
    await assistant.publish('directory.employee.deleted', { employee: employeeMessage(eva) }, about);
    const targets = async (of: string) => (await here.getAssistant({ id: of }, owner)).assistant!.transferTargets;
    await waitUntil(async () => (await targets(other.id)).length === 0, { what: 'the removal' });
    expect(await targets(id)).toMatchObject([{ employeeIds: [owner.as.employeeId] }]);
  });

  it('an employee who is removed between the check and the write is not stored', async () => {
    const eva = assistant.directory.addEmployee({ companyId });
    let checks = 0;
    assistant.directory.onCheck = async () => {
      checks += 1;
      // The event of the removal was applied before the assistant was there.
      if (checks === 2) assistant.directory.deleteEmployee(eva.id);
    };
    const { id, transferTargets } = await create({ transferTargets: target({ employeeIds: [eva.id] }) });
    expect(transferTargets).toEqual([]);
    expect((await here.getAssistant({ id }, owner)).assistant?.transferTargets).toEqual([]);
  });
});

describe('deleting an assistant', () => {
  it('deleting an assistant that numbers use is refused with their names, and has no effect', async () => {
    const { id } = await create();
    assistant.numbers.withAssistant = (asked) => (asked === id ? [{ id: 'num_1', name: 'Support' }] : []);
    await expect(here.deleteAssistant({ id }, owner)).rejects.toMatchObject({
      refusal: { code: 'assistant_in_use', extra: { main_numbers: [{ id: 'num_1', name: 'Support' }] } },
    });
    expect(await lookUp([id])).toMatchObject([{ id, beingDeleted: false }]);
    expect((await there.getAssistant({ id }, owner)).assistant).toBeDefined();
  });

  it('deleting an assistant is visible to whoever chooses one before its numbers are asked for', async () => {
    const { id } = await create();
    const seen: boolean[] = [];
    assistant.numbers.withAssistant = async () => {
      seen.push(...(await lookUp([id])).map(({ beingDeleted }) => beingDeleted));
      return [];
    };
    await here.deleteAssistant({ id }, owner);
    expect(seen).toEqual([true]);
    expect(await lookUp([id])).toEqual([]);
    await expect(here.deleteAssistant({ id }, owner)).rejects.toMatchObject(refusedWith('not_found'));
  });

  it('deleting an assistant is undone when numbers-routing does not answer', async () => {
    const { id } = await create();
    assistant.numbers.withAssistant = () => {
      throw new Error('broken');
    };
    await expect(here.deleteAssistant({ id }, owner)).rejects.toThrow();
    expect(await lookUp([id])).toMatchObject([{ beingDeleted: false }]);
  });

  it('deleting an assistant frees its place', async () => {
    for (let index = 0; index < 20; index += 1) await create();
    await expect(create()).rejects.toMatchObject(refusedWith('limit_reached'));
    const [first] = (await here.listAssistants({}, owner)).assistants;
    await here.deleteAssistant({ id: first!.id }, owner);
    await create();
  });
});

describe('callers', () => {
  it('callers are expected in the languages of active assistants, of all companies', async () => {
    const own = await startAssistant();
    own.speech.listensToAnyLanguage = true;
    const { expected } = own.speech;
    const { companyId: ownCompany, ownerId } = own.directory.createCompany();
    const as = asEmployee(ownCompany, ownerId);
    const client = own.as('gateway').client(AssistantService);
    const add = async (more: object) =>
      (await client.createAssistant({ fields: { ...fields, ...more } }, as)).assistant!.id;
    const danish = await add({ language: 'da' });
    await add({ language: 'de', active: false });
    await add({});
    await own.replica();
    expect(await waitUntil(() => expected.at(-1), { what: 'the languages of callers' })).toEqual(['en', 'da']);
    await client.updateAssistant({ id: danish, fields: { active: false } }, as);
    expected.length = 0;
    await own.replica();
    expect(await waitUntil(() => expected.at(-1), { what: 'fewer languages' })).toEqual(['en']);
    await own.stop();
  });

  it('callers are expected after one look at an index', async () => {
    const plan = await documentQueryPlan(assistant.db, 'assistants', { active: true, language: 'de' }, {});
    expect(plan).toMatchObject({ index: 'active_language', isUnindexed: false });
  });
});

describe('what others show of an assistant', () => {
  it('what others show of an assistant is its name and the engine that would answer now', async () => {
    const auto = await create();
    const embedded = await create({ name: 'Alex', engine: AssistantEngine.EMBEDDED, active: false });
    expect(await lookUp([embedded.id, newId('ast'), auto.id])).toMatchObject([
      { id: embedded.id, name: 'Alex', active: false, engineInUse: AssistantEngine.EMBEDDED, language: 'en' },
      { id: auto.id, name: 'Robin', active: true, engineInUse: AssistantEngine.EMBEDDED },
    ]);
  });
});
