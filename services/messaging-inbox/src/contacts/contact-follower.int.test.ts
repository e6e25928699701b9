import { type BatchHandler, type DecodedEvent, decodeMessage, encodeMessage } from '@parley/events';
import { testMongo } from '@parley/testkit';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ContactCopies, openContactCopies } from './contact-copy-store.ts';
import { contactFollower } from './contact-follower.ts';

const mongo = testMongo();
afterAll(() => mongo.close());

const PHONE = '+4520304050';
const ERASED = '+4520304051';
const DOWN = Object.assign(new Error('no server'), { code: 'ECONNREFUSED' });

let contacts: ContactCopies;
let follower: BatchHandler;
beforeEach(async () => {
  contacts = await openContactCopies(mongo.database('contact-follower'));
  follower = follow(contacts);
});

const follow = (copies: Parameters<typeof contactFollower>[0]['contacts']) =>
  contactFollower({ contacts: copies, erased: { wasErased: async (_company, [phone]) => phone === ERASED } })
    .handlers as BatchHandler;

function event(
  fact: 'created' | 'updated' | 'deleted',
  id: string,
  change: { revision?: number; name?: string; phone?: string; companyId?: string } = {},
): DecodedEvent {
  const { revision = 1, phone = PHONE, companyId = 'com_1' } = change;
  const name = change.name ?? `${fact} ${revision}`;
  const contact = { id, phone, phoneFormatted: phone, name, revision: BigInt(revision) };
  const type = `directory.contact.${fact}` as const;
  const { data } = encodeMessage(type, { contact });
  const decoded = {
    type,
    message: decodeMessage(type, data),
    event: {
      type,
      data,
      id: `evt_${id}_${fact}_${revision}`,
      companyId,
      aggregateId: id,
      aggregateSequence: revision,
      occurredAt: new Date(),
      traceparent: undefined,
    },
  };
  return decoded as DecodedEvent;
}

const nameOf = async (companyId = 'com_1', phone = PHONE) =>
  (await contacts.byPhone(companyId, [phone])).get(phone)?.name;
const apply = (...events: DecodedEvent[]) => follower.handleBatch(events);

describe('events of contacts', () => {
  it('events of contacts of several companies are applied by one call', async () => {
    const [one, other] = ['+4520304060', '+4520304061'];
    await apply(
      event('created', 'con_1', { phone: one, name: 'Ane' }),
      event('created', 'con_2', { phone: other, name: 'Bo', companyId: 'com_2' }),
      event('updated', 'con_1', { phone: one, name: 'Ane Holm', revision: 2 }),
    );
    expect([await nameOf('com_1', one), await nameOf('com_2', other)]).toEqual(['Ane Holm', 'Bo']);
    expect(await nameOf('com_2', one)).toBeUndefined();
    expect(await contacts.search('com_1', 'holm', 10)).toEqual([one]);
  });

  it('events of contacts change a copy with everything that the contact has lost or got', async () => {
    await apply(event('created', 'con_1', { name: 'Ane Holm' }));
    await apply(event('updated', 'con_1', { name: 'Ane Berg', phone: '+4520304062', revision: 2 }));
    expect([await nameOf(), await nameOf('com_1', '+4520304062')]).toEqual([undefined, 'Ane Berg']);
    expect([await contacts.search('com_1', 'holm', 10), await contacts.search('com_1', 'berg', 10)]).toEqual([
      [],
      ['+4520304062'],
    ]);
  });

  it('events of contacts of an older state change nothing', async () => {
    await apply(event('updated', 'con_1', { revision: 3 }));
    await apply(event('updated', 'con_1', { revision: 2 }));
    expect(await nameOf()).toBe('updated 3');
  });

  it('events of contacts that are read again end with a deletion again', async () => {
    const all = [event('created', 'con_1'), event('updated', 'con_1', { revision: 2 }), event('deleted', 'con_1')];
    await apply(...all);
    expect(await nameOf()).toBeUndefined();
    for (const again of all) await apply(again);
    expect(await nameOf()).toBeUndefined();
  });

  it('events of contacts of before an erasure bring nothing back', async () => {
    await apply(event('created', 'con_1', { phone: ERASED }));
    expect(await nameOf('com_1', ERASED)).toBeUndefined();
  });

  it('events of contacts of processes that apply them at the same time leave the newest state', async () => {
    const revisions = Array.from({ length: 20 }, (_, index) => index + 1);
    await Promise.all(revisions.map((revision) => apply(event('updated', 'con_1', { revision }))));
    expect(await nameOf()).toBe('updated 20');
  });

  it('events of contacts fail without the database', async () => {
    const down = follow({ ...contacts, applyAll: () => Promise.reject(DOWN) });
    await expect(down.handleBatch([event('created', 'con_3')])).rejects.toBe(DOWN);
  });
});
