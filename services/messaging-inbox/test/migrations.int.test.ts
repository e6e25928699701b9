import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { encryptor as createEncryptor } from '@parley/secrets';
import { testMongo } from '@parley/testkit';
import type { Db } from 'mongodb';
import { textContext } from '../src/messages/message.ts';
import { migrationsWith } from '../src/migrations.ts';
import { openNotificationSettings } from '../src/notifications/notification-store.ts';
import { openInbox } from '../src/projection/inbox-store.ts';
import { itemTexts } from '../src/projection/item-texts.ts';
import { newThread, threadId } from '../src/projection/thread.ts';
import { ANE, call, COMPANY, fact, voicemailOf } from './item-facts.ts';

const mongo = testMongo();
afterAll(() => mongo.close());

const encryptor = createEncryptor([randomBytes(32).toString('base64')]);
const texts = itemTexts(encryptor);
const bookkeeping = { _version: 1, _stamps: [], _deleted: false };
const collectionOf = (db: Db, name: string) => db.collection<{ _id: string; [field: string]: unknown }>(name);

async function migrateTwice(db: Db): Promise<void> {
  for (let run = 0; run < 2; run++) for (const migration of migrationsWith(encryptor)) await migration.run(db);
}

describe('the migration to 0.3.0', () => {
  it('a thread that 0.2 stored is open and found by parts of its number', async () => {
    const db = mongo.database('threads-of-0-2');
    const { id, phoneGrams: _grams, marks: _marks, pendingChanges: _pending, ...old } = newThread(COMPANY, 'all', ANE);
    const latestItem = { id: 'call_1', businessNumberId: 'num_1', direction: 'inbound' };
    const summary = (content: object) => ({
      lastActivityAt: 1,
      latestItem: { ...latestItem, content },
      unseenCount: 0,
      unseen: false,
    });
    await collectionOf(db, 'inbox_threads').insertOne({
      _id: id,
      ...old,
      phoneSuffixes: ['50'],
      withMessages: summary({ type: 'call', missed: false, summary: 'Bicycles' }),
      withoutMessages: summary({ type: 'voicemail', transcription: 'Call me' }),
      ...bookkeeping,
    });
    await migrateTwice(db);
    const thread = (await (await openInbox(db)).threads.of(COMPANY).get(threadId(COMPANY, 'all', ANE)))!;
    expect(thread).toMatchObject({ marks: ['open'], pendingChanges: [], phoneGrams: expect.arrayContaining(['50']) });
    const latest = [thread.withMessages, thread.withoutMessages].map((one) => one!.latestItem.content);
    expect(latest).toMatchObject([
      { summary: texts.seal('call_1', 'Bicycles') },
      { transcription: texts.seal('call_1', 'Call me') },
    ]);
  });

  it('words of calls and voicemails that 0.2 stored as they are become encrypted', async () => {
    const db = mongo.database('items-of-0-2');
    const stored = [
      fact({ id: 'call_1', content: { ...call, summary: 'Bicycles' } as never }),
      fact({ id: 'vm_1', content: { ...voicemailOf('call_2'), transcription: 'Call me' } as never }),
      fact({ id: 'call_3' }),
    ];
    await collectionOf(db, 'inbox_items').insertMany(
      stored.map(({ id, ...item }) => ({ _id: id, ...item, ...bookkeeping })),
    );
    await migrateTwice(db);
    const { items } = await openInbox(db);
    const contents = await Promise.all(['call_1', 'vm_1', 'call_3'].map((id) => items.of(COMPANY).get(id)));
    expect(contents.map((item) => item?.content)).toMatchObject([
      { summary: texts.seal('call_1', 'Bicycles') },
      { transcription: texts.seal('vm_1', 'Call me') },
      { summary: null },
    ]);
  });

  it('settings keep what an employee wanted', async () => {
    const db = mongo.database('settings-of-0-2');
    const settings = { companyId: COMPANY, wanted: ['text/email'], ...bookkeeping };
    await collectionOf(db, 'notification_settings').insertOne({ _id: 'emp_1', ...settings });
    await migrateTwice(db);
    const stored = await (await openNotificationSettings(db)).of(COMPANY).get('emp_1');
    expect(stored).toEqual({ id: 'emp_1', companyId: COMPANY, enabled: ['text/email'] });
  });

  it('a confirmation that waits gets the keyword of its text, and one without a keyword ends', async () => {
    const db = mongo.database('commands-of-0-2');
    const messages = collectionOf(db, 'messages');
    const waiting = (id: string, text: string) => ({
      _id: id,
      encryptedText: encryptor.encrypt(text, textContext(id)),
      _commands: [{ id: 'cmd_1', kind: 'answer_keyword', payload: {} }],
      _takeAt: new Date(0),
      ...bookkeeping,
    });
    await messages.insertMany([waiting('msg_1', 'Stop!'), waiting('msg_2', 'Hello')]);
    await migrateTwice(db);
    const [named, ended] = await messages.find().sort({ _id: 1 }).toArray();
    expect(named).toMatchObject({ _commands: [{ kind: 'answer_keyword', payload: { keyword: 'stop' } }] });
    expect(Object.keys(ended!)).not.toEqual(expect.arrayContaining(['_commands']));
    expect(Object.keys(ended!)).not.toEqual(expect.arrayContaining(['_takeAt']));
  });
});
