import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '@parley/secrets';
import { CompanyAdminService } from '@parley/proto/directory/v1/companies_pb';
import type { RpcClient } from '@parley/rpc';
import { asOperator } from '@parley/testkit/service';
import { startDirectory, type TestDirectory } from './start-directory.ts';

let directory: TestDirectory;
let admin: RpcClient<typeof CompanyAdminService>;
beforeAll(async () => {
  directory = await startDirectory();
  admin = directory.gateway.client(CompanyAdminService);
});
afterAll(() => directory?.stop());

const create = async (name: string): Promise<string> => {
  const request = { name, country: 'DK', ownerName: 'Olivia', ownerEmail: `${newId('o')}@example.com` };
  return (await admin.createCompany(request, asOperator)).company?.id ?? '';
};
const list = (query: string, limit = 100, cursor = '') => admin.listCompanies({ query, limit, cursor }, asOperator);
const namesOf = ({ companies }: { companies: { name: string }[] }) => companies.map(({ name }) => name);

it('the list of companies is newest first, in pages, and is searched by parts of their names', async () => {
  for (const name of ['Rugbrød Øst', 'Rugbrød Vest', 'Another']) await create(name);
  expect(namesOf(await list('')).slice(0, 3)).toEqual(['Another', 'Rugbrød Vest', 'Rugbrød Øst']);
  const first = await list('gbrod', 1);
  expect(namesOf(first)).toEqual(['Rugbrød Vest']);
  const second = await list('gbrod', 1, first.nextCursor);
  expect([namesOf(second), second.nextCursor]).toEqual([['Rugbrød Øst'], '']);
  expect(namesOf(await list('rugbrød vest'))).toEqual(['Rugbrød Vest']);
  await expect(list('other', 1, first.nextCursor)).rejects.toThrow('cursor');
  await expect(list('', 1, 'forged')).rejects.toThrow('cursor');
});

it('a search finds a renamed company by its new name only', async () => {
  const id = await create('Bageriet');
  await admin.updateCompanyByOperator({ id, name: 'Konditoriet' }, asOperator);
  expect(namesOf(await list('bageriet'))).toEqual([]);
  expect(namesOf(await list('konditor'))).toEqual(['Konditoriet']);
});

it('a company is read by its id, and an unknown one is refused', async () => {
  const id = await create('One');
  const { company } = await admin.getCompanyByOperator({ id }, asOperator);
  expect(company).toMatchObject({ id, name: 'One', limits: { simultaneousCalls: expect.any(Number) } });
  await expect(admin.getCompanyByOperator({ id: newId('com') }, asOperator)).rejects.toThrow('not_found');
});
