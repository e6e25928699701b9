import { eventually } from '../../expectations/eventually.ts';
import { expect, expectThat } from '../../expectations/expect.ts';
import { anything, listOf, text } from '../../expectations/shapes.ts';
import type { ApiClient } from '../../http/api-client.ts';
import { freshPhone } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';

const { must } = checksOf('contacts');
const CSV = { source: 'reports.md: Reports: what happened on the phone', profile: 'full' } as const;

/** Sends a file, and waits for the end of its import. */
async function importLines(company: ApiClient, lines: readonly string[]): Promise<any> {
  const headers = { 'Content-Type': 'text/csv' };
  const body = `${lines.join('\r\n')}\r\n`;
  const { id } = await company
    .send('POST', '/contacts/imports', { body, headers })
    .gives(202, { id: text, state: text });
  return await eventually('the import is done', () =>
    company.get(`/contacts/imports/${id}`).gives(200, { id, state: 'done' }),
  );
}

export const csvChecks: readonly Check[] = [
  must(100, 'Contacts are imported from CSV.', CSV, async ({ companies }) => {
    const company = await companies.fresh();
    const [phone, other] = [freshPhone(), freshPhone()];
    const result = await importLines(company, [
      'phone,name,note',
      `${phone},"Ane, of Aarhus","""Hi"""`,
      `${other},Bo,`,
    ]);
    expect(result, { created: 2, updated: 0, refused: [] }, 'the import');
    await company
      .get(`/contacts?phone=${encodeURIComponent(phone)}`)
      .gives(200, [{ name: 'Ane, of Aarhus', note: '"Hi"' }]);
  }),

  must(
    101,
    'An import changes the contacts that exist, and keeps what it has no column for.',
    CSV,
    async ({ companies }) => {
      const company = await companies.fresh();
      const phone = freshPhone();
      const { id } = await company.post('/contacts', { phone, name: 'Carl', note: 'Regular' }).gives(201);
      const lines = ['phone,name', `${phone},Karl`];
      expect(await importLines(company, lines), { created: 0, updated: 1, refused: [] }, 'the import');
      await company.get(`/contacts/${id}`).gives(200, { name: 'Karl', note: 'Regular' });
    },
  ),

  must(102, 'An import can be repeated.', CSV, async ({ companies }) => {
    const company = await companies.fresh();
    const lines = ['phone,name', `${freshPhone()},Dora`, `${freshPhone()},Elin`];
    expect(await importLines(company, lines), { created: 2 }, 'the first import');
    expect(await importLines(company, lines), { created: 0, refused: [] }, 'the second import');
    await company.get('/contacts').gives(200, [anything, anything]);
  }),

  must(103, 'An import names the lines that it refuses, the header being line 1.', CSV, async ({ companies }) => {
    const company = await companies.fresh();
    const lines = ['phone,email', `${freshPhone()},ane@example.com`, 'nobody,', `${freshPhone()},nobody`];
    const { refused } = await importLines(company, lines);
    expect(refused, listOf({ line: anything, error: text }), 'the refused lines');
    expect(
      refused.map(({ line }: { line: number }) => line),
      [3, 4],
      'the numbers of the refused lines',
    );
    await company.get('/contacts').gives(200, [{ email: 'ane@example.com' }]);
  }),

  must(104, "Another company's import is unknown.", CSV, async ({ companies }) => {
    const [company, another] = [await companies.shared(), await companies.another()];
    const { id } = await importLines(company, ['phone', freshPhone()]);
    await another.get(`/contacts/imports/${id}`).isNotFound();
  }),

  must(105, 'Contacts are exported as CSV with a line for each.', CSV, async ({ companies }) => {
    const company = await companies.fresh();
    const [phone, name] = [freshPhone(), 'Frode "the fast", of Fyn'];
    await company.post('/contacts', { phone, name }).gives(201);
    const { text: file } = await company
      .get('/contacts/export.csv')
      .givesHeaders(200, { 'content-type': /^text\/csv/ });
    expectThat(file.includes('"Frode ""the fast"", of Fyn"'), `quotes and commas are not as RFC 4180 says: ${file}`);
    expectThat(file.includes(phone), `the export has no ${phone}: ${file}`);
  }),

  must(106, 'A text in the export is never a formula of a spreadsheet.', CSV, async ({ companies }) => {
    const company = await companies.fresh();
    for (const name of ['=1+1', '+SUM(A1)', '-SUM(A1)', '@SUM(A1)'])
      await company.post('/contacts', { phone: freshPhone(), name }).gives(201);
    const { text: file } = await company.get('/contacts/export.csv');
    const formula = /(^|,)"?[=+@-](1\+1|SUM)/m.exec(file);
    expectThat(formula === null, `a field of the export begins with a formula: ${formula?.[0]}`);
  }),

  must(107, 'The export of contacts needs an admin.', CSV, async ({ companies }) => {
    const company = await companies.shared();
    const member = await company.hire({ role: 'member' });
    await member.get('/contacts/export.csv').isRefused(403, { error: 'forbidden' });
  }),
];
