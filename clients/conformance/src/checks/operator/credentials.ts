import { Browser } from '../../world/browser.ts';
import type { Company } from '../../world/company.ts';
import type { Context } from '../../world/context.ts';
import { freshWord } from '../../world/random.ts';
import { absent, someText } from '../../expectations/shapes.ts';
import { expect, expectThat } from '../../expectations/expect.ts';
import { type Check, checksOf } from '../check.ts';

const { must } = checksOf('operator');
const OPERATOR = { source: 'local-stack.md: Operator API', profile: 'full' } as const;

/** Whether these let somebody in: `/signin` shows itself to whoever is not. */
async function letIn({ network, target }: Context, email: string, password: string): Promise<boolean> {
  const browser = new Browser(network, target.baseUrl);
  await browser.signIn({ email, password });
  return !(await browser.open('/dashboard/api-keys')).path.startsWith('/signin');
}

async function invited(company: Company): Promise<{ id: string; email: string }> {
  return await company.hire();
}

export const credentialChecks: readonly Check[] = [
  must(60, 'The operator gives an employee a key, and takes it back.', OPERATOR, async ({ companies, operator }) => {
    const company = await companies.shared();
    const { id } = await invited(company);
    const key = await operator
      .post(`/employees/${id}/api_keys`, { name: 'From outside' })
      .gives(201, { id: someText, name: 'From outside', api_key: someText });
    const client = company.withHeaders({ 'X-Api-Key': key.api_key });
    await client.get('/company').gives(200, { id: company.id });
    await operator.delete(`/api_keys/${key.id}`).givesNothing();
    await client.get('/company').isRefused(401);
  }),

  must(61, 'A key needs a name.', OPERATOR, async ({ companies, operator }) => {
    const company = await companies.shared();
    for (const name of [undefined, '', 17])
      await operator.post(`/employees/${company.owner.id}/api_keys`, { name }).isRefused(422, { field: 'name' });
  }),

  must(
    62,
    'A password of the operator lets an employee in, and does not count as a sign-in.',
    OPERATOR,
    async (context) => {
      const company = await context.companies.shared();
      const { id, email } = await invited(company);
      const [first, second] = [`correct horse ${freshWord()} staple`, `correct horse ${freshWord()} staple`];
      for (const password of [first, second])
        await context.operator.put(`/employees/${id}/password`, { password }).givesNothing();
      await company.get(`/employees/${id}`).gives(200, { invitation_pending: true });
      expect(await letIn(context, email, first), false, 'whether the former password lets the employee in');
      await company.get(`/employees/${id}`).gives(200, { invitation_pending: true });
      expect(await letIn(context, email, second), true, 'whether the password lets the employee in');
      await company.get(`/employees/${id}`).gives(200, { invitation_pending: false });
    },
  ),

  must(63, 'A client of the operator may have a scheme of its own.', OPERATOR, async ({ operator }) => {
    const uris = ['com.example.conformance:/callback', 'https://app.example.com/callback'];
    const client = { client_name: `Conformance ${freshWord()}`, redirect_uris: uris };
    const made = await operator.post('/oauth_clients', client).gives(201, {
      ...client,
      client_id: someText,
      token_endpoint_auth_method: 'none',
      client_secret: absent,
    });
    expectThat(Number.isInteger(made.client_id_issued_at), `client_id_issued_at is ${made.client_id_issued_at}`);
  }),
];
