import { eventually } from '../../expectations/eventually.ts';
import { between, integer, listOf, listWith, nullable, text, timestamp } from '../../expectations/shapes.ts';
import { freshPhone } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { REPORTS } from './report.ts';

const { must } = checksOf('reports');
const CLOSED = Array.from({ length: 7 }, (_, day_of_week) => ({ day_of_week, open: false }));

export const liveChecks: readonly Check[] = [
  must(40, 'The live report has numbers and employees as they are now.', REPORTS, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number({ name: 'Front desk' });
    const quiet = { waiting: [], ringing: 0, in_conversation: 0, longest_wait_secs: nullable(0) };
    await company
      .put(`/business_numbers/${id}/outside_business_hours_config`, { type: null, business_hours: CLOSED })
      .gives(200);
    const { owner } = company;
    await eventually('the number is in the report', () =>
      company.get('/reports/live').gives(200, {
        at: timestamp,
        numbers: listWith({ id, name: 'Front desk', open: false, ...quiet }),
        employees: listWith({ id: owner.id, name: owner.name, status: text, since: nullable(text), call: null }),
      }),
    );
  }),

  must(41, 'Who waits is in the live report, in the order of arrival, and who talks too.', REPORTS, async (context) => {
    const { companies, sandbox } = context;
    const company = await companies.fresh();
    const { id, number } = await company.number();
    await company.put(`/business_numbers/${id}/outside_business_hours_config`, { type: null }).gives(200);
    const [first, second] = [freshPhone(), freshPhone()];
    const contact = await company.post('/contacts', { phone: second, name: 'Ane' }).gives(201);
    const legs = [];
    for (const [index, from] of [first, second].entries()) {
      const leg = await sandbox.call(from, number);
      legs.push(leg);
      await eventually('the call waits', () =>
        company.get('/reports/live').gives(200, {
          numbers: [{ id, waiting: listWith({ from, position: index + 1 }), longest_wait_secs: between(0, 60) }],
        }),
      );
    }
    const waiting = { call_id: text, position: integer, waiting_secs: between(0, 60) };
    await eventually('both are shown', () =>
      company.get('/reports/live').gives(200, {
        numbers: [
          {
            waiting: [
              { ...waiting, from: first, position: 1, contact: null },
              { ...waiting, from: second, position: 2, contact: { id: contact.id } },
            ],
          },
        ],
      }),
    );
    const phone = sandbox.phone(company.owner.id);
    await phone.goes('online');
    await phone.answers();
    await eventually('one talks, and one waits', () =>
      company.get('/reports/live').gives(200, {
        numbers: [{ in_conversation: 1, waiting: [{ from: second, position: 1 }] }],
        employees: [{ id: company.owner.id, status: 'on_call', call: { id: text, with: first, since: text } }],
      }),
    );
    for (const leg of legs) await leg.hangUp();
    await eventually('nobody waits', () =>
      company.get('/reports/live').gives(200, {
        numbers: [{ in_conversation: 0, waiting: [] }],
        employees: listOf({ call: null }),
      }),
    );
  }),
];
