import { notFound, Refused } from '@parley/errors';
import type { Company, Directory } from '../directory/directory-client.ts';

/** While texting is off for a company, its texts and snippets are not found. */
export async function requireTexting(directory: Directory, companyId: string): Promise<Company> {
  const company = await directory.company(companyId);
  if (!company.messagingEnabled) throw new Refused(notFound);
  return company;
}
