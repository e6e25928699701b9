import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { systemClock } from '@parley/clock';
import { idleRelay } from '@parley/aggregates/idle-relay';
import { documentQueryPlan, testMongo } from '@parley/testkit';
import { contactCap } from '../contacts/contact-cap.ts';
import { type Contacts, openContacts } from '../contacts/contact-store.ts';
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
