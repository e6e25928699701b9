import { eventually } from '../../expectations/eventually.ts';
import { expectThat } from '../../expectations/expect.ts';
import { matching, text } from '../../expectations/shapes.ts';
import { freshWord } from '../../world/random.ts';
import { prepared } from '../../world/prepared.ts';
import { type Check, checksOf } from '../check.ts';

const { must } = checksOf('authentication');
const KEYS = { source: 'service-api.md: API keys', profile: 'full' } as const;
const CREDENTIALS = { source: 'decisions.md: Credentials', profile: 'full' } as const;
const OPERATOR = { source: 'local-stack.md: Operator API', profile: 'full' } as const;
/** How soon a credential that ended is refused everywhere. */
const REVOKED_WITHIN = { withinMs: 1000 };

export const keyChecks: readonly Check[] = [
  must(30, 'A key acts for the company of its employee, and for no other one.', KEYS, async ({ companies }) => {
    const [company, another] = [await companies.shared(), await companies.another()];
    const employee = await company.hire({ role: 'admin' });
    for (const client of [company, employee]) await client.get('/company').gives(200, { id: company.id });
    await another.get('/company').gives(200, { id: another.id });
  }),

  must(31, 'Keys begin with `pk_` and hold 256 bits.', CREDENTIALS, async ({ companies, operator }) => {
    const { owner } = await companies.shared();
    // 43 letters of base64 are 256 bits.
    const made = () =>
      operator.post(`/employees/${owner.id}/api_keys`, { name: 'Probe' }).gives(201, {
        id: text,
        name: 'Probe',
        api_key: matching(/^pk_\S{43,}$/),
      });
    const [first, second] = [await made(), await made()];
    expectThat(first.api_key !== second.api_key, 'two keys are the same');
    expectThat(!first.api_key.includes(first.id), 'the key contains its id');
    for (const { id } of [first, second]) await operator.delete(`/api_keys/${id}`).givesNothing();
  }),

  must(32, 'A revoked key is refused within a second.', CREDENTIALS, async ({ companies, operator }) => {
    const company = await companies.shared();
    const path = `/employees/${company.owner.id}/api_keys`;
    const { id, api_key: key } = await prepared(operator.post(path, { name: freshWord() }), 201);
    const client = company.withHeaders({ 'X-Api-Key': key });
    await client.get('/company').gives(200);
    await operator.delete(`/api_keys/${id}`).givesNothing();
    await eventually(
      'the revoked key is refused',
      () => client.get('/company').isRefused(401, { error: 'Invalid API key' }),
      REVOKED_WITHIN,
    );
  }),

  must(33, 'An employee may have several keys, which end one by one.', CREDENTIALS, async ({ companies, operator }) => {
    const company = await companies.shared();
    const employee = await company.hire();
    const path = `/employees/${employee.id}/api_keys`;
    const second = await prepared(operator.post(path, { name: 'Second' }), 201);
    const client = company.withHeaders({ 'X-Api-Key': second.api_key });
    for (const one of [employee, client]) await one.get(`/employees/${employee.id}`).gives(200, { id: employee.id });
    await operator.delete(`/api_keys/${second.id}`).givesNothing();
    await eventually('the revoked key is refused', () => client.get('/company').isRefused(401), REVOKED_WITHIN);
    await employee.get('/company').gives(200);
  }),

  must(34, "A removed employee's key is refused within a second.", CREDENTIALS, async ({ companies }) => {
    const company = await companies.shared();
    const employee = await company.hire();
    await employee.get('/company').gives(200);
    await company.delete(`/employees/${employee.id}`).givesNothing();
    await eventually(
      "the removed employee's key is refused",
      () => employee.get('/company').isRefused(401, { error: 'Invalid API key' }),
      REVOKED_WITHIN,
    );
  }),

  must(35, 'An employee who was only invited may use a key.', OPERATOR, async ({ companies }) => {
    const company = await companies.shared();
    const employee = await company.hire();
    await employee.get(`/employees/${employee.id}`).gives(200, { invitation_pending: true });
  }),

  must(36, 'A key shows itself in no answer after the one that made it.', KEYS, async ({ companies }) => {
    const company = await companies.shared();
    const employee = await company.hire({ role: 'owner' });
    for (const path of [`/employees/${employee.id}`, '/employees', '/company', '/audit_events']) {
      const { text: body } = await employee.get(path);
      expectThat(!body.includes(employee.apiKey), `the answer to GET ${path} has the key`);
    }
  }),
];
