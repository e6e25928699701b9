import { systemClock } from '@parley/clock';
import { decided, Refused } from '@parley/errors';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Collection, type Db, MongoNetworkError } from 'mongodb';
import {
  changed,
  type Contact,
  type ContactFact,
  newContact,
  type Outbox,
  startOutbox,
} from '../../test/start-outbox.ts';
import { openAggregates } from './aggregates.ts';

let outbox: Outbox;
beforeEach(async () => void (outbox = await startOutbox()));
afterEach(() => outbox.end());

/** Contacts on a connection that loses the next response to a write, after the write was done; `meanwhile` happens then. */
async function onBadConnection(meanwhile: () => Promise<unknown> = async () => undefined) {
  let lost = false;
  const loseOne = <Args extends unknown[], Answer>(write: (...args: Args) => Promise<Answer>) => {
    return async (...args: Args) => {
      const answer = await write(...args);
      if (lost) return answer;
      lost = true;
      await meanwhile();
      throw new MongoNetworkError('the connection was lost');
    };
  };
  const db = Object.assign(Object.create(outbox.db) as Db, {
    collection(name: string) {
      const collection = outbox.db.collection(name) as unknown as Collection;
      return Object.assign(collection, {
        insertOne: loseOne(collection.insertOne.bind(collection)),
        updateOne: loseOne(collection.updateOne.bind(collection)),
      });
    },
  });
  return openAggregates<Contact, ContactFact>({
    db,
    collection: 'contacts',
    relay: outbox.relay,
    clock: systemClock,
    encode: (fact) => ({ type: `directory.contact.${fact}`, data: new TextEncoder().encode(fact) }),
  });
}

const create = async () => {
  const contact = newContact();
  await outbox.contacts.of('com_1').create(decided(contact, ['created']));
  return contact;
};
const changeIt = (id: string) => outbox.contacts.of('com_1').change(id, changed);
const stored = (id: string) => outbox.stored.findOne({ _id: id });

describe('a write whose response was lost', () => {
  it('is done once', async () => {
    const { id } = await create();
    const contacts = await onBadConnection();
    expect(await contacts.of('com_1').change(id, changed)).toMatchObject({ changes: 1 });
    expect(await stored(id)).toMatchObject({ changes: 1, _version: 2, _eventCounts: { contact: 2 } });
  });

  it('is done once although others have written since', async () => {
    const { id } = await create();
    const contacts = await onBadConnection(async () => {
      for (let i = 0; i < 5; i++) await changeIt(id);
    });
    await contacts.of('com_1').change(id, changed);
    expect(await stored(id)).toMatchObject({ changes: 6, _version: 7, _eventCounts: { contact: 7 } });
  });

  it('creates one aggregate, also if it was changed since', async () => {
    const contact = newContact();
    const contacts = await onBadConnection(() => changeIt(contact.id));
    await contacts.of('com_1').create(decided(contact, ['created']));
    expect(await stored(contact.id)).toMatchObject({ changes: 1, _version: 2 });
  });

  it('deletes, also if nothing is left to look at', async () => {
    const { id } = await create();
    const contacts = await onBadConnection(() => outbox.stored.deleteOne({ _id: id }));
    expect(await contacts.of('com_1').change(id, () => decided(null, ['deleted']))).toBeNull();
  });

  it('is not taken for done when another aggregate has the id', async () => {
    const taken = await create();
    const contacts = await onBadConnection();
    await changeIt(taken.id);
    const again = contacts.of('com_1').create(decided(newContact({ id: taken.id }), ['created']));
    await expect(again).rejects.not.toBeInstanceOf(Refused);
    expect(await stored(taken.id)).toMatchObject({ phone: taken.phone });
  });
});
