import { CompanyService } from '@parley/proto/directory/v1/companies_pb';
import { ContactService } from '@parley/proto/directory/v1/contacts_pb';
import { EmployeeService } from '@parley/proto/directory/v1/employees_pb';
import { asEmployee } from '@parley/testkit/service';
import { missingFields, RELEASE_KEY, RELEASE_WRITES, releaseDocuments, restoreRelease } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startDirectory, type TestDirectory } from './start-directory.ts';

const released = releaseDocuments('directory');
const [contact] = released['contacts'] ?? [];
const [employee] = released['employees'] ?? [];
const owner = asEmployee(String(contact?.companyId));

let directory: TestDirectory;
beforeAll(async () => {
  directory = await startDirectory({ ENCRYPTION_KEY: RELEASE_KEY });
});
afterAll(() => directory?.stop());

describe.each(RELEASE_WRITES)('what the last release stored %s', (_, when) => {
  beforeAll(async () => {
    await directory.stopService();
    await restoreRelease(directory.db, released, when);
    await directory.restart();
  });

  it('what the last release stored of contacts, employees and the company is read, changed, and keeps every field that the release reads', async () => {
    const contacts = directory.gateway.client(ContactService);
    const employees = directory.gateway.client(EmployeeService);
    const companies = directory.gateway.client(CompanyService);
    const id = contact?._id ?? '';
    expect((await contacts.getContact({ id }, owner)).contact).toMatchObject({ id, name: contact?.name });
    expect((await contacts.updateContact({ id, name: { value: 'Other' } }, owner)).contact?.name).toBe('Other');
    const read = await employees.readEmployee({ id: employee?._id ?? '' }, owner);
    expect(read.employee).toMatchObject({ name: employee?.name, email: employee?.email });
    await employees.updateEmployee({ id: employee?._id ?? '', name: 'Other' }, owner);
    const [company] = released['companies'] ?? [];
    expect((await companies.getCompany({}, owner)).company?.name).toBe(company?.name);
    expect(await missingFields(directory.db, released)).toEqual([]);
  });
});
