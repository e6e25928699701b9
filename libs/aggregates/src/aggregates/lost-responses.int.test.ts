import { systemClock } from '@parley/clock';
import { decided, Refused } from '@parley/errors';
import { connectMongo } from '@parley/mongo';
import { startTelemetry } from '@parley/telemetry';
import { waitUntil } from '@parley/testkit/wait-until';
import { startWireProxy, testMongo } from '@parley/testkit';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
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

const telemetry = startTelemetry({ service: 'directory', version: '0', logLevel: 'silent' });
const connections: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const connection of connections.splice(0)) await connection.close();
});
afterAll(() => telemetry.stop());

describe.each(['embedded', 'server'] as const)('%s: a write whose response was lost', (engine) => {
  /** Contacts on a connection that loses the next response to a write, after the write was done; `meanwhile` happens then. */
  async function onBadConnection(write: 'insert' | 'update', meanwhile?: () => Promise<unknown>) {
    const proxy = await startWireProxy(testMongo().url, engine);
    const mongo = await connectMongo({ url: proxy.url, database: outbox.db.databaseName, telemetry });
    connections.push(mongo, proxy);
    const contacts = await openAggregates<Contact, ContactFact>({
      db: mongo.db,
      collection: 'contacts',
      relay: outbox.relay,
      clock: systemClock,
      encode: (fact) => ({ type: `directory.contact.${fact}`, data: new TextEncoder().encode(fact) }),
    });
    proxy.loseResponse(write, meanwhile);
    return contacts;
  }

  const create = async () => {
    const contact = newContact();
    await outbox.contacts.of('com_1').create(decided(contact, ['created']));
    // Its event is removed by a write of its own, which would compete with the one that is tested.
    await waitUntil(async () => (await stored(contact.id))?._outbox.length === 0, { what: 'its event to be removed' });
    return contact;
  };
  const changeIt = (id: string) => outbox.contacts.of('com_1').change(id, changed);
  const stored = (id: string) => outbox.stored.findOne({ _id: id });

  it('a write whose response was lost is done once', async () => {
    const { id } = await create();
    const contacts = await onBadConnection('update');
    expect(await contacts.of('com_1').change(id, changed)).toMatchObject({ changes: 1 });
    expect(await stored(id)).toMatchObject({ changes: 1, _eventCounts: { contact: 2 } });
  });

  it('a write whose response was lost is done once although others have written since', async () => {
    const { id } = await create();
    const contacts = await onBadConnection('update', async () => {
      for (let i = 0; i < 5; i++) await changeIt(id);
    });
    await contacts.of('com_1').change(id, changed);
    expect(await stored(id)).toMatchObject({ changes: 6, _eventCounts: { contact: 7 } });
  });

  it('a write whose response was lost creates one aggregate, also if it was changed since', async () => {
    const contact = newContact();
    const contacts = await onBadConnection('insert', () => changeIt(contact.id));
    await contacts.of('com_1').create(decided(contact, ['created']));
    expect(await stored(contact.id)).toMatchObject({ changes: 1, _eventCounts: { contact: 2 } });
  });

  it('a write whose response was lost deletes, also if nothing is left to look at', async () => {
    const { id } = await create();
    const contacts = await onBadConnection('update', () => outbox.stored.deleteOne({ _id: id }));
    expect(await contacts.of('com_1').change(id, () => decided(null, ['deleted']))).toBeNull();
  });

  it('a write whose response was lost is not taken for done when another aggregate has the id', async () => {
    const taken = await create();
    const contacts = await onBadConnection('insert');
    await changeIt(taken.id);
    const again = contacts.of('com_1').create(decided(newContact({ id: taken.id }), ['created']));
    await expect(again).rejects.not.toBeInstanceOf(Refused);
    expect(await stored(taken.id)).toMatchObject({ phone: taken.phone });
  });
});
