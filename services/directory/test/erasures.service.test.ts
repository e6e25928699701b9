import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ContactImportService } from '@parley/proto/directory/v1/contact_imports_pb';
import { ContactService } from '@parley/proto/directory/v1/contacts_pb';
import { ErasureService, ErasureState } from '@parley/proto/directory/v1/erasures_pb';
import { PersonalDataService } from '@parley/proto/privacy/v1/personal_data_pb';
import { waitUntil } from '@parley/testkit';
import { fakeContract } from '@parley/testkit/service';
import { startDirectory, type TestDirectory } from './start-directory.ts';

const PERSON = '+4520304050';

/** Another service: removes two records at a time, and says when it is asked. */
class FakePart {
  left = 0;
  fails = false;
  isWaiting = false;
  readonly positions: string[] = [];
  readonly contracts = [
    fakeContract(PersonalDataService, {
      erasePerson: async ({ phoneNumber, position }) => {
        if (phoneNumber !== PERSON) throw new Error('another person');
        this.positions.push(position);
        if (this.fails) throw new Error('broken');
        if (this.isWaiting) return { removed: 0, position, done: false, waiting: true };
        const removed = Math.min(2, this.left);
        this.left -= removed;
        return { removed, position: `left ${this.left}`, done: this.left === 0, waiting: false };
      },
    }),
  ];
}

const [callControl, assistant, messagingInbox, webhooks, reports] = Array.from({ length: 5 }, () => new FakePart()) as [
  FakePart,
  FakePart,
  FakePart,
  FakePart,
  FakePart,
];
let directory: TestDirectory;
beforeAll(async () => {
  directory = await startDirectory(
    {},
    {
      'call-control': callControl.contracts,
      assistant: assistant.contracts,
      'messaging-inbox': messagingInbox.contracts,
      webhooks: webhooks.contracts,
      reports: reports.contracts,
    },
  );
}, 60_000);
afterAll(() => directory?.stop());

const whenDone = (id: string, owner: Parameters<typeof read>[1]) =>
  waitUntil(
    async () => {
      const erasure = await read(id, owner);
      return erasure?.state === ErasureState.DONE ? erasure : undefined;
    },
    { what: 'the end of the erasure', timeoutMs: 60_000 },
  );
const read = async (id: string, owner: Awaited<ReturnType<TestDirectory['createCompany']>>['owner']) =>
  (await directory.as('gateway').client(ErasureService).getErasure({ id }, owner)).erasure;

it('an erasure continues where it was after errors, waits and a restart, and forgets the number', async () => {
  const { id: companyId, owner } = await directory.createCompany();
  const { contact } = await directory.gateway
    .client(ContactService)
    .createContact({ phone: PERSON, name: 'Ane Unusual' }, owner);
  callControl.left = 5;
  callControl.isWaiting = true;
  messagingInbox.fails = true;
  const { erasure } = await directory.gateway
    .client(ErasureService)
    .requestErasure({ phoneNumber: '20 30 40 50' }, owner);
  expect(erasure).toMatchObject({ phoneNumber: PERSON, state: ErasureState.RUNNING });
  const id = erasure?.id ?? '';
  await waitUntil(() => callControl.positions.length > 0, { what: 'the first part' });
  expect(await read(id, owner)).toMatchObject({ state: ErasureState.RUNNING });
  callControl.isWaiting = false;
  await waitUntil(() => messagingInbox.positions.length > 0, { what: 'the second part', timeoutMs: 60_000 });
  await directory.restart();
  messagingInbox.fails = false;
  const done = await whenDone(id, owner);
  expect(done).toMatchObject({
    parts: [
      { name: 'call-control', removed: 5 },
      { name: 'assistant', removed: 0 },
      { name: 'messaging-inbox', removed: 0 },
      { name: 'directory', removed: 1 },
      { name: 'webhooks', removed: 0 },
      { name: 'reports', removed: 0 },
    ],
  });
  expect(done.phoneNumber).toBeUndefined();
  expect(callControl.positions.filter((position) => position !== '')).toEqual(['left 3', 'left 1']);
  const contacts = directory.as('gateway').client(ContactService);
  await expect(contacts.getContact({ id: contact?.id ?? '' }, owner)).rejects.toMatchObject({
    refusal: { code: 'not_found' },
  });
  for (const { name } of await directory.db.listCollections().toArray()) {
    const stored = await directory.db.collection(name).find({ companyId }, { raw: true }).toArray();
    const bytes = Buffer.concat(stored as unknown as Buffer[]);
    expect([PERSON, 'Unusual'].filter((text) => bytes.includes(text))).toEqual([]);
  }
}, 120_000);

it('an erasure is not undone by a file of contacts that is received, waits or is imported meanwhile', async () => {
  const company = await directory.createCompany();
  const { id: companyId, owner } = company;
  const clients = directory.as('gateway');
  const imports = clients.client(ContactImportService);
  const lines = Array.from({ length: 50 }, (_, index) => {
    return { line: index + 2, phone: `+4521${String(index).padStart(6, '0')}` };
  });
  const add = async (person: { line: number; phone: string; name: string }) => {
    const { id } = await imports.createContactImport({}, owner);
    for (let portion = 0; portion < 6; portion += 1)
      await imports.addContactImportLines({ id, portion, lines: portion < 5 ? lines : [person] }, owner);
    return id;
  };
  const start = (id: string) => imports.startContactImport({ id, portions: 6, lines: 251 }, owner);
  const received = await add({ line: 300, phone: '20 30 40 50', name: 'Ane Unusual' });
  const running = await add({ line: 300, phone: PERSON, name: 'Ane Unusual' });
  await start(running);
  const { erasure } = await clients.client(ErasureService).requestErasure({ phoneNumber: PERSON }, owner);
  await whenDone(erasure?.id ?? '', owner);
  await start(received);
  for (const id of [received, running]) {
    const done = await waitUntil(
      async () => {
        const { contactImport } = await imports.getContactImport({ id }, owner);
        return contactImport?.done && contactImport;
      },
      { what: 'the end of the import', timeoutMs: 60_000 },
    );
    if (id === received) expect(done.refused).toMatchObject([{ line: 300, error: 'the person was erased' }]);
  }
  for (const { name } of await directory.db.listCollections().toArray()) {
    const stored = await directory.db.collection(name).find({ companyId }, { raw: true }).toArray();
    const bytes = Buffer.concat(stored as unknown as Buffer[]);
    expect([PERSON, '20 30 40 50', 'Unusual'].filter((text) => bytes.includes(text))).toEqual([]);
  }
  // What is received later is new.
  await start(await add({ line: 300, phone: PERSON, name: 'Ane Again' }));
  await waitUntil(
    async () => (await clients.client(ContactService).findContactByPhone({ phone: PERSON }, owner)).contact,
    { what: 'the new contact', timeoutMs: 60_000 },
  );
}, 120_000);

it('an erasure does not show the erasure of another company', async () => {
  const [one, other] = [await directory.createCompany(), await directory.createCompany()];
  const erasures = directory.as('gateway').client(ErasureService);
  const { erasure } = await erasures.requestErasure({ phoneNumber: PERSON }, one.owner);
  await whenDone(erasure?.id ?? '', one.owner);
  for (const id of [erasure?.id ?? '', 'era_unknown'])
    await expect(erasures.getErasure({ id }, other.owner)).rejects.toMatchObject({ refusal: { code: 'not_found' } });
}, 60_000);

it('an erasure beyond ten at a time of one company is refused, and the next is taken when one is done', async () => {
  const [one, other] = [await directory.createCompany(), await directory.createCompany()];
  const erasures = directory.as('gateway').client(ErasureService);
  callControl.isWaiting = true;
  const request = () => erasures.requestErasure({ phoneNumber: PERSON }, one.owner);
  const results = await Promise.allSettled(Array.from({ length: 13 }, request));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  await expect(request()).rejects.toMatchObject({ refusal: { code: 'rate_limited' } });
  await erasures.requestErasure({ phoneNumber: PERSON }, other.owner);
  callControl.isWaiting = false;
  await waitUntil(async () => request().then(() => true, () => false), { what: 'a place', timeoutMs: 60_000 }); // prettier-ignore
}, 120_000);
