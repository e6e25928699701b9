import { eventually } from '../../expectations/eventually.ts';
import { expect, expectThat } from '../../expectations/expect.ts';
import { matching, someText } from '../../expectations/shapes.ts';
import { freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { EMPLOYEE, freshEmail } from '../employees/employee.ts';

const { must, should } = checksOf('operator');
const OPERATOR = { source: 'local-stack.md: Operator API', profile: 'full' } as const;

const details = (changes: object = {}) => ({
  name: `Conformance operator ${freshWord()}`,
  country: 'SE',
  owner: { name: 'Olga Olsen', email: freshEmail(), password: `correct horse ${freshWord()} staple` },
  ...changes,
});

export const companyChecks: readonly Check[] = [
  must(
    20,
    'A new company has an owner, who has signed in, and a key.',
    OPERATOR,
    async ({ operator, http, companies }) => {
      const sent = details();
      const { status, body } = await eventually('the server has time to hash a password', async () => {
        const reply = await operator.post('/companies', sent);
        expectThat(reply.status !== 503, reply.text);
        return reply;
      });
      if (typeof body?.company?.id === 'string') companies.adopt(body.company.id);
      const made = {
        company: { id: someText, name: sent.name, country: 'SE', requires_two_factor: false, messaging_enabled: false },
        owner: { ...EMPLOYEE, name: 'Olga Olsen', email: sent.owner.email, role: 'owner', invitation_pending: false },
        api_key: matching(/^pk_/),
      };
      expect({ status, ...body }, { status: 201, ...made }, 'the answer');
      const { company, owner, api_key: key } = body;
      const headers = { 'X-Api-Key': key };
      await http.get('/api/v1/company', headers).gives(200, { id: company.id, name: sent.name, country: 'SE' });
      await http.get(`/api/v1/employees/${owner.id}`, headers).gives(200, { email: sent.owner.email, role: 'owner' });
      expectThat(!JSON.stringify(owner).includes(sent.owner.password), 'the answer has the password');
    },
  ),

  must(21, 'A company needs a name, a country and an owner.', OPERATOR, async ({ operator, companies }) => {
    const { owner } = await companies.shared();
    const wrong: readonly object[] = [
      details({ name: undefined }),
      details({ name: '' }),
      details({ country: undefined }),
      details({ country: 'XX' }),
      details({ owner: undefined }),
      details({ owner: { ...details().owner, email: 'nobody' } }),
      details({ owner: { ...details().owner, email: undefined } }),
      details({ owner: { ...details().owner, email: owner.email } }),
      details({ messaging_enabled: 'yes' }),
    ];
    for (const body of wrong) await operator.post('/companies', body).isRefused(422, { code: 'validation_failed' });
  }),

  must(22, 'The operator renames a company.', OPERATOR, async ({ operator, companies }) => {
    const company = await companies.shared();
    const name = `Conformance renamed ${freshWord()}`;
    await operator.patch(`/companies/${company.id}`, { name }).gives(200, { id: company.id, name });
    await company.get('/company').gives(200, { name });
    await operator.patch(`/companies/${company.id}`, { name: '' }).isRefused(422, { field: 'name' });
  }),

  must(23, 'The operator switches texting on and off.', OPERATOR, async ({ operator, companies }) => {
    const company = await companies.shared();
    const path = `/companies/${company.id}`;
    await company.get('/text_snippets').isRefused(404);
    await operator.patch(path, { messaging_enabled: true }).gives(200, { messaging_enabled: true });
    await company.get('/text_snippets').gives(200, []);
    await operator.patch(path, { messaging_enabled: false }).gives(200, { messaging_enabled: false });
    await company.get('/text_snippets').isRefused(404);
    await operator.patch(path, { messaging_enabled: 'yes' }).isRefused(422, { field: 'messaging_enabled' });
  }),

  must(24, 'A company cannot switch texting on by itself.', OPERATOR, async ({ operator, companies }) => {
    const company = await companies.shared();
    await company.patch('/company', { messaging_enabled: true }).gives(200);
    await company.get('/text_snippets').isRefused(404);
    await operator.patch(`/companies/${company.id}`, {}).gives(200, { messaging_enabled: false });
  }),

  should(
    25,
    'The operator connects and removes a system that knows callers.',
    OPERATOR,
    async ({ operator, companies, sandbox }) => {
      const company = await companies.shared();
      const integration = { url: `${sandbox.base}/integrations/custom_endpoint`, secret: freshWord(), label: 'CRM' };
      for (const kind of ['custom_endpoint', 'ecommerce', 'accounting'])
        await operator.put(`/companies/${company.id}/integrations/${kind}`, integration).gives(200);
      for (const kind of ['custom_endpoint', 'ecommerce', 'accounting'])
        await operator.delete(`/companies/${company.id}/integrations/${kind}`).givesNothing();
      const { status } = await operator.put(`/companies/${company.id}/integrations/other`, integration);
      expectThat([404, 422].includes(status), `an unknown kind was answered with ${status}`);
    },
  ),
];
