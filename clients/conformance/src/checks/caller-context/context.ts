import type { ApiClient } from '../../http/api-client.ts';
import type { PendingReply } from '../../http/reply.ts';
import type { Company } from '../../world/company.ts';
import type { Context } from '../../world/context.ts';
import { prepared } from '../../world/prepared.ts';

export type Kind = 'custom_endpoint' | 'ecommerce' | 'accounting';

export const lookUp = (company: ApiClient, phone: string): PendingReply =>
  company.get(`/caller_context?phone=${encodeURIComponent(phone)}`);

/** A new company with integrations that know these people. What the sandbox knows is there for the whole server: for checks that run alone. */
export async function companyKnowing(
  { companies, operator, sandbox }: Context,
  known: Readonly<Partial<Record<Kind, object>>>,
): Promise<Company> {
  const company = await companies.fresh();
  for (const [kind, records] of Object.entries(known)) {
    await prepared(sandbox.put(`/integrations/${kind}`, { records }), 200);
    const settings = {
      url: `${sandbox.base}/integrations/${kind}`,
      secret: 'correct horse battery staple',
      label: `The ${kind}`,
      source: `source-of-${kind}`,
    };
    await prepared(operator.put(`/companies/${company.id}/integrations/${kind}`, settings), 200);
  }
  return company;
}
