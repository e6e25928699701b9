import { expect, expectThat } from '../../expectations/expect.ts';
import { between, someText } from '../../expectations/shapes.ts';
import { eventually } from '../../expectations/eventually.ts';
import { freshPhone, freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { counted, NO_CALLS, NO_MESSAGES, REPORTS } from './report.ts';

const { must } = checksOf('reports');
const FOREVER = { type: null };

export const countChecks: readonly Check[] = [
  must(20, 'Texts are counted, in all and for each business number.', REPORTS, async ({ companies, sandbox }) => {
    const company = await companies.fresh({ messaging: true });
    const [first, second] = [await company.number(), await company.number()];
    const customer = freshPhone();
    const send = (to: string) =>
      company.post(`/business_numbers/${first.id}/messages`, { to, text: 'Hello.', idempotency_key: freshWord() });
    await sandbox.text(customer, first.number, 'Hello?');
    await sandbox.text(customer, second.number, 'Hello?');
    await send(customer).gives(201);
    await send(freshPhone()).gives(201);
    const id = (await sandbox.textsTo(customer))[0]!.provider_id;
    await sandbox.post(`/messages/${id}/delivery_report`, { status: 'delivered' }).gives(200);
    const totals = { sent: 2, received: 2, delivered: 1, failed: 0, parts: 2, people: 2 };
    const { rows } = await counted(company, '/reports/messages?group_by=business_number', totals);
    const rowOf = (number: { id: string }) => rows.find(({ key }: { key: string }) => key === number.id);
    expect(rowOf(first), { sent: 2, received: 1, delivered: 1, people: 2 }, 'the row of the first number');
    expect(rowOf(second), { ...NO_MESSAGES, received: 1, people: 1 }, 'the row of the second number');
    await counted(company, `/reports/messages?business_number_id=${second.id}`, { sent: 0, received: 1 });
  }),

  must(21, 'Calls are counted: missed and abandoned ones, voicemails, and answered ones.', REPORTS, async (context) => {
    const { companies, sandbox } = context;
    const company = await companies.fresh();
    const { id, number } = await company.number();
    await company.put(`/business_numbers/${id}/outside_business_hours_config`, FOREVER).gives(200);
    const waiting = await sandbox.call(freshPhone(), number);
    await waiting.hears('ringtone');
    await waiting.hangUp();
    await waiting.is('ended');
    const one = { ...NO_CALLS, total: 1, inbound: 1, missed: 1, abandoned: 1 };
    await counted(company, '/reports/calls', one);
    const phone = sandbox.phone(company.owner.id);
    await phone.goes('online');
    const answered = await sandbox.call(freshPhone(), number);
    await phone.answers();
    await answered.hears('party');
    await answered.hangUp();
    const two = { ...one, total: 2, inbound: 2, answered: 1, answered_within_20s: 1, talk_secs_total: between(0, 60) };
    const { rows } = await counted(company, '/reports/calls?group_by=business_number', two);
    expect(rows, [{ key: id, ...two }], 'the rows');
    await counted(company, '/reports/calls?direction=outbound', { ...NO_CALLS });
    const byEmployee = await counted(company, '/reports/calls?group_by=employee', two);
    const row = byEmployee.rows.find(({ key }: { key: string }) => key === company.owner.id);
    expect(row, { total: 1, answered: 1, missed: 0 }, 'the row of the employee');
    const export_ = await eventually('both calls are exported', async () => {
      const reply = await company.get('/calls/export.csv').givesHeaders(200, { 'content-type': /^text\/csv/ });
      const lines = reply.text.trimEnd().split('\r\n');
      expect(lines.length, 3, 'the number of lines, with the header');
      return lines;
    });
    expectThat(
      export_.slice(1).every((line) => line.includes(number)),
      'a line is without the business number',
    );
  }),

  must(22, 'A member gets the reports of their own rows, and exports nothing.', REPORTS, async ({ companies }) => {
    const company = await companies.shared();
    const member = await company.hire({ role: 'member' });
    const { rows } = await member.get('/reports/calls?group_by=employee').gives(200);
    expect(
      rows.map(({ key }: { key: string }) => key),
      [member.id],
      'the keys of a member',
    );
    const all = await company.get('/reports/calls?group_by=employee').gives(200);
    const keys = all.rows.map(({ key }: { key: string }) => key);
    expectThat(
      keys.includes(member.id) && keys.includes(company.owner.id),
      `the keys of an owner are ${keys.join(', ')}`,
    );
    await member.get('/calls/export.csv').isRefused(403, { code: 'forbidden' });
    await member.get('/reports/calls').gives(200, { totals: { total: between(0, 1_000_000) } });
  }),

  must(23, "Another company's calls and texts are in no report.", REPORTS, async ({ companies, sandbox }) => {
    const [company, another] = [await companies.fresh({ messaging: true }), await companies.fresh({ messaging: true })];
    const { number } = await company.number();
    await sandbox.text(freshPhone(), number, 'Hello?');
    await counted(company, '/reports/messages', { received: 1, people: 1 });
    await another.get('/reports/messages').gives(200, { totals: NO_MESSAGES });
    await another.get('/reports/live').gives(200, { at: someText, numbers: [] });
  }),
];
