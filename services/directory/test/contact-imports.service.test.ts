import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ContactImportService } from '@parley/proto/directory/v1/contact_imports_pb';
import { ContactService } from '@parley/proto/directory/v1/contacts_pb';
import { waitUntil } from '@parley/testkit';
import { startDirectory, type TestCompany, type TestDirectory } from './start-directory.ts';

let directory: TestDirectory;
beforeAll(async () => {
  directory = await startDirectory();
}, 60_000);
afterAll(() => directory?.stop());

type Line = { line: number; phone: string; name?: string; note?: string };
const imports = () => directory.as('gateway').client(ContactImportService);
const read = async (id: string, { owner }: TestCompany) =>
  (await imports().getContactImport({ id }, owner)).contactImport!;

async function begin({ owner }: TestCompany, portions: Line[][]): Promise<string> {
  const { id } = await imports().createContactImport({}, owner);
  for (const [portion, lines] of portions.entries())
    await imports().addContactImportLines({ id, portion, lines }, owner);
  await imports().startContactImport({ id, portions: portions.length, lines: portions.flat().length }, owner);
  return id;
}
const whenDone = (id: string, company: TestCompany) =>
  waitUntil(
    async () => {
      const found = await read(id, company);
      return found.done && found;
    },
    { what: 'the end of the import', timeoutMs: 60_000 },
  );
async function contactsOf({ owner }: TestCompany) {
  const chunks = await Array.fromAsync(directory.as('gateway').client(ContactService).listContacts({}, owner));
  return new Map(chunks.flatMap(({ contacts }) => contacts).map((contact) => [contact.phone, contact]));
}

it('an import creates and updates contacts by number, names what it refuses, and can be repeated', async () => {
  const company = await directory.createCompany();
  const existing = { phone: '+4520304050', name: 'Ane', note: 'Mondays' };
  await directory.as('gateway').client(ContactService).createContact(existing, company.owner);
  const portions: Line[][] = [
    [
      { line: 2, phone: '20 30 40 50', name: 'Anne' },
      { line: 3, phone: '+4520304051', name: 'Bo' },
      { line: 4, phone: 'nobody', name: 'x' },
      { line: 5, phone: ' ', name: 'x' },
    ],
    [
      { line: 6, phone: '0045 20 30 40 51', name: 'Bo Berg' },
      { line: 7, phone: '+4520304052', name: 'x'.repeat(300) },
    ],
  ];
  const refused = [
    { line: 4, error: 'phone is not a valid phone number' },
    { line: 5, error: 'phone is required' },
    { line: 7, error: 'name is too long (maximum is 255 characters)' },
  ];
  const first = await whenDone(await begin(company, portions), company);
  expect(first).toMatchObject({ lines: 6, created: 1, updated: 2, refused });
  const found = await contactsOf(company);
  expect(found.size).toBe(2);
  expect(found.get('+4520304050')).toMatchObject({ name: 'Anne', note: 'Mondays' });
  expect(found.get('+4520304051')).toMatchObject({ name: 'Bo Berg' });
  const again = await whenDone(await begin(company, portions), company);
  expect(again).toMatchObject({ created: 0, updated: 3, refused });
});

it('an import continues after a restart, and counts each contact once', async () => {
  const company = await directory.createCompany();
  const lines = Array.from({ length: 600 }, (_, index): Line => {
    return { line: index + 2, phone: `+4520${String(index).padStart(6, '0')}`, name: `Contact ${index}` };
  });
  const portions = Array.from({ length: 12 }, (_, index) => lines.slice(index * 50, index * 50 + 50));
  const id = await begin(company, portions);
  await waitUntil(async () => (await read(id, company)).created > 0, { what: 'the first portion' });
  await directory.restart();
  expect(await whenDone(id, company)).toMatchObject({ lines: 600, created: 600, updated: 0, refused: [] });
  expect((await contactsOf(company)).size).toBe(600);
});

it('an import belongs to its company, and is not shown before it is started', async () => {
  const [company, other] = [await directory.createCompany(), await directory.createCompany()];
  const { id } = await imports().createContactImport({}, company.owner);
  await expect(read(id, company)).rejects.toMatchObject({ refusal: { code: 'not_found' } });
  const lines = [{ line: 2, phone: '+4520304050' }];
  await expect(imports().addContactImportLines({ id, portion: 0, lines }, other.owner)).rejects.toMatchObject({
    refusal: { code: 'not_found' },
  });
  await imports().startContactImport({ id, portions: 0, lines: 0 }, company.owner);
  expect(await read(id, company)).toMatchObject({ done: true, created: 0 });
  await expect(read(id, other)).rejects.toMatchObject({ refusal: { code: 'not_found' } });
});

it('five imports are received or run at a time; one that is cancelled leaves its place and none of its lines', async () => {
  const company = await directory.createCompany();
  const create = () => imports().createContactImport({}, company.owner);
  const created = await Promise.all([1, 2, 3, 4, 5].map(create));
  await expect(create()).rejects.toMatchObject({ refusal: { code: 'rate_limited' } });
  const id = created[0]!.id;
  await imports().addContactImportLines({ id, portion: 0, lines: [{ line: 2, phone: '+4520304050' }] }, company.owner);
  await imports().cancelContactImport({ id }, company.owner);
  await expect(imports().startContactImport({ id, portions: 1, lines: 1 }, company.owner)).rejects.toMatchObject({
    refusal: { code: 'not_found' },
  });
  expect(await directory.db.collection('contact_import_portions').countDocuments({ importId: id })).toBe(0);
  await imports().startContactImport({ id: created[1]!.id, portions: 0, lines: 0 }, company.owner);
  await create();
});

it('an import stops when the company is being deleted', async () => {
  const company = await directory.createCompany();
  await directory.db
    .collection<{ _id: string }>('companies')
    .updateOne({ _id: company.id }, { $set: { isBeingDeleted: true } });
  const id = await begin(company, [[{ line: 2, phone: '+4520304050' }]]);
  const commands = async () => {
    const stored = await directory.db
      .collection<{ _id: string; _commands?: unknown[] }>('contact_imports')
      .findOne({ _id: id });
    return stored?._commands?.length ?? 0;
  };
  await waitUntil(async () => (await commands()) === 0, { what: 'the command to be settled' });
  expect((await contactsOf(company)).size).toBe(0);
});
