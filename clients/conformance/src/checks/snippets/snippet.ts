import type { Company } from '../../world/company.ts';
import type { Context } from '../../world/context.ts';

/** Snippets are only there while a company may text; with an API key alone nothing can be done about it. */
export async function textingCompany({ companies, leaveOut }: Context): Promise<Company> {
  const company = await companies.shared({ messaging: true });
  const { status } = await company.get('/text_snippets');
  if (status === 404) leaveOut('the company may not text');
  return company;
}
