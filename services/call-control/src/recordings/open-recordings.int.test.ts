import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fileSealer } from '@parley/secrets';
import { testMongo } from '@parley/testkit';
import { type Db, MongoClient } from 'mongodb';
import { type Blobs, openBlobs } from './blob-store.ts';
import { encryptedBlobs } from './open-recordings.ts';

const mongo = testMongo();
afterAll(() => mongo.close());

const sealer = fileSealer(randomBytes(32).toString('base64'));
const content = Buffer.concat([Buffer.from('RIFF'), randomBytes(300_000)]);
const inPieces = (bytes: Buffer) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / 10_000) }, (_, n) => bytes.subarray(n * 10_000, (n + 1) * 10_000)),
  );
let db: Db;
let stored: Blobs;
let blobs: Blobs;
beforeAll(async () => {
  db = mongo.database();
  stored = await openBlobs(db, 'recordings');
  blobs = encryptedBlobs(stored, sealer);
  await blobs.write('cal_1-1', inPieces(content), content.length);
});
const bytesOf = async (read: Promise<Readable | undefined>) => buffer((await read)!);

describe('a recording', () => {
  it('a recording is not readable in its store', async () => {
    const sealed = await bytesOf(stored.read('cal_1-1'));
    expect(sealed.includes(content.subarray(1000, 1016))).toBe(false);
    expect(sealed).toHaveLength(sealer.sealedSize(content.length));
  });

  it('a recording is read whole and in parts, with the size of its content', async () => {
    expect(await blobs.size('cal_1-1')).toBe(content.length);
    expect((await bytesOf(blobs.read('cal_1-1'))).equals(content)).toBe(true);
    for (const [start, end] of [
      [0, 4],
      [65_530, 65_540],
      [200_000, 300_004],
      [300_000, 900_000],
    ] as const)
      expect((await bytesOf(blobs.read('cal_1-1', { start, end }))).equals(content.subarray(start, end))).toBe(true);
  });

  it('recordings that exist are found among others with one query', async () => {
    const commands: string[] = [];
    const client = new MongoClient(mongo.url, { monitorCommands: true });
    client.on('commandStarted', ({ commandName }) => commands.push(commandName));
    const watched = encryptedBlobs(await openBlobs(client.db(db.databaseName), 'recordings'), sealer);
    commands.length = 0;
    const names = ['cal_1-1', ...Array.from({ length: 49 }, (_, n) => `cal_0-${n}`)];
    expect([...(await watched.existing(names))]).toEqual(['cal_1-1']);
    expect(commands).toEqual(['find']);
    await client.close();
  });

  it('a recording that was stored before encryption is read as it is', async () => {
    await stored.write('cal_2-1', inPieces(content), content.length);
    expect(await blobs.size('cal_2-1')).toBe(content.length);
    const part = await bytesOf(blobs.read('cal_2-1', { start: 2, end: 10 }));
    expect(part.equals(content.subarray(2, 10))).toBe(true);
  });

  it('a recording that was copied to another name is not read', async () => {
    await stored.write('cal_3-1', (await stored.read('cal_1-1'))!, sealer.sealedSize(content.length));
    await expect(bytesOf(blobs.read('cal_3-1'))).rejects.toThrow('was changed or belongs elsewhere');
  });

  it('a recording is the one that was stored first, also when several are stored at the same time', async () => {
    const contents = [1, 2, 3, 4].map((byte) => Buffer.alloc(200_000, byte));
    const written = await Promise.all(contents.map((bytes) => blobs.write('cal_7-1', inPieces(bytes), bytes.length)));
    expect(written.toSorted()).toEqual(['exists', 'exists', 'exists', 'written']);
    expect((await bytesOf(blobs.read('cal_7-1'))).equals(contents[written.indexOf('written')]!)).toBe(true);
    expect(await blobs.write('cal_7-1', inPieces(content), content.length)).toBe('exists');
    await blobs.remove('cal_7-1');
    expect(await blobs.write('cal_7-1', inPieces(content), content.length)).toBe('written');
  });

  it('a recording whose sender breaks off is not stored', async () => {
    const broken = Readable.from(
      (function* () {
        yield content.subarray(0, 100_000);
        throw new Error('connection lost');
      })(),
    );
    await expect(blobs.write('cal_4-1', broken, content.length)).rejects.toThrow('connection lost');
    expect(await blobs.size('cal_4-1')).toBeUndefined();
  });

  it('a recording that is removed, or never was, does not exist', async () => {
    await blobs.write('cal_5-1', Readable.from([]), 0);
    expect(await blobs.size('cal_5-1')).toBe(0);
    await blobs.remove('cal_5-1');
    expect([await blobs.size('cal_5-1'), await blobs.read('cal_6-1')]).toEqual([undefined, undefined]);
  });
});
