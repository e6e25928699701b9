import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { systemClock } from '@parley/clock';
import { idleRelay } from '@parley/aggregates/idle-relay';
import { documentQueryPlan, testMongo } from '@parley/testkit';
import { contactCap, type Contacts, openContacts } from '../contacts/contact-store.ts';
import type { ContactImport } from './contact-import.ts';
import { openContactImports } from './contact-import-store.ts';
import { importLine, type ImportLineDeps } from './import-line.ts';

const mongo = testMongo();
const db = mongo.database();
let contacts: Contacts;
let deps: ImportLineDeps;
beforeAll(async () => {
  contacts = await openContacts(db, idleRelay(), systemClock);
  let order = 0;
  deps = { contacts, cap: contactCap(contacts, 3), tick: () => (order += 1), clock: systemClock };
});
afterAll(() => mongo.close());

const to = { companyId: 'com_1', country: 'DK', importId: 'imp_1' };

it('a line that is imported again after a crash has created its contact once', async () => {
  const line = { line: 2, phone: '20304050', name: 'Ane' };
  expect(await importLine(deps, to, line)).toBe('created');
  expect(await importLine(deps, to, line)).toBe('created');
  expect(await importLine(deps, to, { line: 3, phone: '+4520304050', note: '' })).toBe('updated');
  expect(await importLine(deps, { ...to, importId: 'imp_2' }, line)).toBe('updated');
  expect(await contacts.of('com_1').count(10)).toBe(1);
});

it('two processes that import the same number make one contact', async () => {
  const lines = [4, 5, 6].map((line) => ({ line, phone: '20304051' }));
  const results = await Promise.all(lines.map((line) => importLine(deps, to, line)));
  expect(results.toSorted()).toEqual(['created', 'updated', 'updated']);
});

it('a company has no more contacts than it may have', async () => {
  expect(await importLine(deps, to, { line: 7, phone: '20304052' })).toBe('created');
  expect(await importLine(deps, to, { line: 8, phone: '20304053' })).toEqual({
    error: 'a company has at most 3 contacts',
  });
});

it('the portions and the running imports of a company are read from indexes', async () => {
  await openContactImports(db, idleRelay(), systemClock);
  const ofImport = { companyId: 'com_1', importId: 'imp_1' };
  const sort = { index: 1 } as const;
  expect(await documentQueryPlan(db, 'contact_import_portions', ofImport, { sort })).toMatchObject({ index: 'import' });
  const running = { companyId: 'com_1', slot: { $exists: true } };
  expect(await documentQueryPlan(db, 'contact_imports', running)).toMatchObject({ index: 'company_slot' });
});

it('a line whose person was erased leaves no contact, also one that it has created before', async () => {
  const company = { ...to, companyId: 'com_3', importId: 'imp_3' };
  const line = { line: 2, phone: '20304050', name: 'Ane' };
  expect(await importLine(deps, company, line)).toBe('created');
  expect(await importLine(deps, company, { line: 2, phone: '', isErased: true })).toEqual({
    error: 'the person was erased',
  });
  expect(await contacts.of('com_3').count(10)).toBe(0);
});

it('a person is erased from portions that were stored before, and a portion that missed it is not finished', async () => {
  const imports = await openContactImports(db, idleRelay(), systemClock);
  const current = { id: 'imp_9', companyId: 'com_4' } as ContactImport;
  const lines = [
    { line: 2, phone: '20 30 40 50', name: 'Ane' },
    { line: 3, phone: '+4520304051' },
  ];
  await imports.addPortion(current, 0, lines);
  await imports.addPortion(current, 1, [{ line: 4, phone: '0045 20304050' }]);
  const person = { companyId: 'com_4', phoneNumber: '+4520304050', before: systemClock.now() };
  const earlier = { ...person, before: new Date(person.before.getTime() - 60_000) };
  expect(await imports.erasePerson(earlier, 'DK', { after: '', limit: 20 })).toEqual({ lines: [], next: undefined });
  const { lines: erased, next } = await imports.erasePerson(person, 'DK', { after: '', limit: 1 });
  expect([erased, next]).toEqual([[{ importId: 'imp_9', line: 2 }], 'imp_9.0']);
  expect((await imports.erasePerson(person, 'DK', { after: 'imp_9.0', limit: 20 })).lines).toHaveLength(1);
  const portion = await imports.portion('com_4', 'imp_9', 0);
  expect(portion?.lines).toEqual([{ line: 2, phone: '', isErased: true }, lines[1]]);

  const result = { created: 2, updated: 0, refused: [] };
  expect(await imports.finishPortion(portion!, result, new Set())).toBe(false);
  expect(await imports.portion('com_4', 'imp_9', 0)).toMatchObject({ result: null });
  expect(await imports.finishPortion(portion!, result, new Set([2]))).toBe(true);
  // A process that was stopped meanwhile learns of it too.
  expect(await imports.finishPortion(portion!, result, new Set())).toBe(false);
  const ofCompany = { companyId: 'com_4', $or: [{ importId: { $gt: '' } }, { importId: '', index: { $gt: -1 } }] };
  const sort = { importId: 1, index: 1 } as const;
  expect(await documentQueryPlan(db, 'contact_import_portions', ofCompany, { sort })).toMatchObject({
    index: 'import',
  });
});
