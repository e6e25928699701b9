import { notFound, Refused } from '@parley/errors';
import { newId } from '@parley/ids';
import { digest, newSecret } from '@parley/secrets';
import { type ApiKey, createApiKey } from './api-key.ts';
import type { ApiKeyDeps } from './api-key-deps.ts';

/** Makes a key for an employee. The secret exists here and in the answer, nowhere else. */
export async function issueApiKey(
  { apiKeys, accounts, clock }: ApiKeyDeps,
  employee: { companyId: string; employeeId: string },
  name: string,
): Promise<{ key: ApiKey; secret: string }> {
  const secret = newSecret('apiKey');
  const identity = { id: newId('key'), ...employee, name, createdAt: clock.now() };
  const key = await apiKeys.createInFreeSlot(employee, (slot) => createApiKey({ ...identity, slot }, digest(secret)));
  // An employee deleted in the same moment: their mark was set before their keys were looked for, so one of us sees the other.
  if (await accounts.isDeleted(employee.employeeId)) {
    await apiKeys.revokeAll(employee);
    throw new Refused(notFound);
  }
  return { key, secret };
}
