import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ContactLookupService } from '@parley/proto/directory/v1/contact_lookup_pb';
import { ContactService } from '@parley/proto/directory/v1/contacts_pb';
import type { RpcClient } from '@parley/rpc';
import { startDirectory, type TestCompany, type TestDirectory } from './start-directory.ts';

/** More than one message of a backfill carries. */
const COUNT = 60;

let directory: TestDirectory;
let lookup: RpcClient<typeof ContactLookupService>;
let [first, second]: TestCompany[] = [];
beforeAll(async () => {
  directory = await startDirectory();
  lookup = directory.as('messaging-inbox').client(ContactLookupService);
  [first, second] = [await directory.createCompany(), await directory.createCompany()];
  const contacts = directory.gateway.client(ContactService);
  for (const { owner } of [first, second])
    for (let from = 0; from < COUNT; from += 6)
      await Promise.all(
        Array.from({ length: 6 }, (_, index) => from + index).map((index) =>
          contacts.createContact({ phone: `+45203000${String(index).padStart(2, '0')}`, name: `C${index}` }, owner),
        ),
      );
}, 60_000);
afterAll(() => directory?.stop());

describe('a contact looked up by a service', () => {
  it('a contact looked up by a service is found by its number in any format, and only in its own company', async () => {
    const { contact } = await lookup.lookUpContact({ companyId: first!.id, phone: '20 30 00 07' });
    expect(contact).toMatchObject({ name: 'C7', phone: '+4520300007', revision: 1n });
    const otherCompany = await directory.createCompany();
    expect((await lookup.lookUpContact({ companyId: otherCompany.id, phone: '+4520300007' })).contact).toBeUndefined();
    expect((await lookup.lookUpContact({ companyId: first!.id, phone: 'nonsense' })).contact).toBeUndefined();
  });
});

describe('a backfill', () => {
  /** Ends after `messages` of them, as a reader that crashes does. */
  async function read(companyId: string, after = '', messages = Infinity) {
    const names: string[] = [];
    let cursor = after;
    for await (const part of lookup.listContactsForBackfill({ companyId, after })) {
      names.push(...part.contacts.map((item) => `${item.companyId} ${item.contact?.name}`));
      cursor = part.cursor;
      if ((messages -= 1) === 0) break;
    }
    return { names, cursor };
  }

  it.each([
    ['of one company', () => first!.id, COUNT],
    ['of all companies', () => '', 2 * COUNT],
  ])('a backfill %s leaves nothing out, also when it is resumed', async (_of, companyId, count) => {
    expect(new Set((await read(companyId())).names).size).toBe(count);
    const begun = await read(companyId(), '', 1);
    const rest = await read(companyId(), begun.cursor);
    expect(begun.names.length).toBeLessThan(count);
    expect(new Set([...begun.names, ...rest.names]).size).toBe(count);
  });

  it('a backfill of one company with a cursor of another list is refused', async () => {
    await expect(read(first!.id, 'con_x')).rejects.toMatchObject({ refusal: { code: 'validation_failed' } });
  });
});
