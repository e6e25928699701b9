import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ContactService } from '@parley/proto/directory/v1/contacts_pb';
import type { RpcClient } from '@parley/rpc';
import { startDirectory, type TestCompany, type TestDirectory } from './start-directory.ts';

let directory: TestDirectory;
let contacts: RpcClient<typeof ContactService>;
let company: TestCompany;
let other: TestCompany;
beforeAll(async () => {
  directory = await startDirectory();
  contacts = directory.gateway.client(ContactService);
  [company, other] = [await directory.createCompany(), await directory.createCompany()];
  for (let index = 0; index < 7; index++)
    await contacts.createContact(
      { phone: `+452030000${index}`, name: `${index % 2 ? 'Odd' : 'Even'} ${index}` },
      company.owner,
    );
}, 60_000);
afterAll(() => directory?.stop());

async function pages(limit: number, query?: string): Promise<(string | undefined)[][]> {
  const found: (string | undefined)[][] = [];
  let cursor: string | undefined;
  do {
    const page = await contacts.listContactPage({ limit, cursor, query }, company.owner);
    found.push(page.contacts.map(({ name }) => name));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return found;
}

describe('a page of contacts', () => {
  it.each([
    [3, [['Even 6', 'Odd 5', 'Even 4'], ['Odd 3', 'Even 2', 'Odd 1'], ['Even 0']]],
    [7, [['Even 6', 'Odd 5', 'Even 4', 'Odd 3', 'Even 2', 'Odd 1', 'Even 0']]],
  ])('a page of contacts of %i continues behind the one before, newest first', async (limit, expected) => {
    expect(await pages(limit)).toEqual(expected);
  });

  it('a page of contacts of a search continues too, and a phone number finds its contact', async () => {
    expect(await pages(2, 'even')).toEqual([
      ['Even 6', 'Even 4'],
      ['Even 2', 'Even 0'],
    ]);
    expect(await pages(2, '20 30 00 03')).toEqual([['Odd 3']]);
    expect(await pages(2, '!')).toEqual([[]]);
  });

  it('a page of contacts does not repeat or leave out contacts when one is created or deleted in between', async () => {
    const first = await contacts.listContactPage({ limit: 2 }, company.owner);
    const created = await contacts.createContact({ phone: '+4520300099', name: 'New' }, company.owner);
    const { nextCursor: cursor } = first;
    const next = () => contacts.listContactPage({ limit: 2, cursor }, company.owner);
    expect((await next()).contacts.map(({ name }) => name)).toEqual(['Even 4', 'Odd 3']);
    await contacts.deleteContact({ id: created.contact?.id ?? '' }, company.owner);
    expect((await next()).contacts.map(({ name }) => name)).toEqual(['Even 4', 'Odd 3']);
  });

  it.each([
    ['of another company', () => other, undefined],
    ['of another search', () => company, 'odd'],
  ])('a page of contacts is refused with a cursor %s', async (_of, who, query) => {
    const { nextCursor: cursor } = await contacts.listContactPage({ limit: 2 }, company.owner);
    const asked = contacts.listContactPage({ limit: 2, cursor, query }, who().owner);
    await expect(asked).rejects.toMatchObject({ refusal: { fields: { cursor: ['is invalid'] } } });
  });

  it('a page of contacts is refused with a cursor that was changed', async () => {
    const { nextCursor = '' } = await contacts.listContactPage({ limit: 2 }, company.owner);
    const cursor = `e30.${nextCursor.split('.')[1]}`;
    await expect(contacts.listContactPage({ limit: 2, cursor }, company.owner)).rejects.toMatchObject({
      refusal: { code: 'validation_failed' },
    });
  });
});

describe('contacts with any of some numbers', () => {
  it('contacts with any of some numbers are those of the company that have one', async () => {
    const request = { phones: ['+4520300001', '+4520300004', '+4599999999', ''] };
    const { contacts: found } = await contacts.findContactsByPhones(request, company.owner);
    expect(found.map(({ name }) => name)).toEqual(['Odd 1', 'Even 4']);
    expect((await contacts.findContactsByPhones(request, other.owner)).contacts).toEqual([]);
  });

  it('contacts with any of some numbers are refused for too many numbers', async () => {
    const request = { phones: Array.from({ length: 101 }, () => '+4520300001') };
    await expect(contacts.findContactsByPhones(request, company.owner)).rejects.toMatchObject({
      refusal: { code: 'validation_failed' },
    });
  });
});
