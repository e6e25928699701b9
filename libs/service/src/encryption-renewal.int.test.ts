import { randomBytes } from 'node:crypto';
import { encryptor } from '@parley/secrets';
import { type OwnMongo, ownMongo } from '@parley/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Db, type Document, MongoClient } from 'mongodb';
import { renewTexts } from './encryption-renewal.ts';

const [oldKey, newKey] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
const [before, present, afterwards] = [encryptor(oldKey), encryptor([newKey, oldKey]), encryptor(newKey)];
const contextsOf = ({ _id, id }: Document) => [`note/${_id}/text`, `item/${id}/text`];
let mongo: OwnMongo;
let client: MongoClient;
let db: Db;

beforeAll(async () => {
  mongo = await ownMongo();
  client = await new MongoClient(mongo.url).connect();
  db = client.db('renewal');
});
beforeEach(() => db.dropDatabase());
afterAll(async () => {
  await client.close();
  await mongo.close();
});

const notes = () => db.collection<Document & { _id: string }>('notes');

describe('encrypted texts of a database', () => {
  it('encrypted texts of a database are all readable without the former key after a pass, wherever they are in documents', async () => {
    const at = new Date();
    await notes().insertOne({
      _id: 'a',
      _version: 7,
      at,
      sealed: before.encrypt('one', 'note/a/text'),
      items: [
        { id: 'i', sealed: before.encrypt('two', 'item/i/text') },
        { id: 'j', plain: 'v1.unknown.text' },
      ],
    });
    await notes().insertOne({ _id: 'b', sealed: present.encrypt('three', 'note/b/text') });
    expect(await renewTexts(db, present, contextsOf)).toEqual({ renewed: 2, left: 0 });
    const { _version, sealed, items, at: kept } = (await notes().findOne({ _id: 'a' }))!;
    expect([_version, kept, items[1].plain]).toEqual([8, at, 'v1.unknown.text']);
    expect([afterwards.decrypt(sealed, 'note/a/text'), afterwards.decrypt(items[0].sealed, 'item/i/text')]).toEqual([
      'one',
      'two',
    ]);
    expect(await renewTexts(db, present, contextsOf)).toEqual({ renewed: 0, left: 0 });
  });

  it('encrypted texts of a database that are of an unknown context stay, and are counted', async () => {
    const sealed = before.encrypt('one', 'elsewhere');
    await notes().insertOne({ _id: 'a', sealed });
    expect(await renewTexts(db, present, contextsOf)).toEqual({ renewed: 0, left: 1 });
    expect((await notes().findOne({ _id: 'a' }))?.['sealed']).toBe(sealed);
  });

  it('encrypted texts of a database that are compared in their stored form are equal after a pass to those that are written anew', async () => {
    await notes().insertOne({ _id: 'a', sealed: before.encryptRepeatably('one', 'note/a/text') });
    await renewTexts(db, present, contextsOf);
    expect((await notes().findOne({ _id: 'a' }))?.['sealed']).toBe(present.encryptRepeatably('one', 'note/a/text'));
  });

  it('encrypted texts of a database in many documents are renewed in portions', async () => {
    const documents = Array.from({ length: 350 }, (_, n) => ({
      _id: `n${n}`,
      sealed: before.encrypt('x', `note/n${n}/text`),
    }));
    await notes().insertMany(documents);
    expect(await renewTexts(db, present, contextsOf)).toEqual({ renewed: 350, left: 0 });
  });
});
