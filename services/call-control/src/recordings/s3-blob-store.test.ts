import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startS3Server } from '../../test/s3-server.ts';
import type { Blobs } from './blob-store.ts';
import { layeredBlobs } from './open-recordings.ts';
import { type S3Bucket, s3Blobs } from './s3-blob-store.ts';
import { s3BucketSetting } from './s3-settings.ts';

const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'a+secret/with=signs', region: 'eu-north-1' };
let server: Awaited<ReturnType<typeof startS3Server>>;
let bucket: S3Bucket;

beforeAll(async () => {
  server = await startS3Server(credentials);
  bucket = s3BucketSetting.parse({
    endpoint: server.endpoint,
    region: credentials.region,
    bucket: 'parley-recordings',
    prefix: 'live/',
    access_key_id: credentials.accessKeyId,
    secret_access_key: credentials.secretAccessKey,
  });
});
afterAll(() => server.stop());

const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
const inPieces = (bytes: Buffer) =>
  Readable.from(Array.from({ length: 10 }, (_, n) => bytes.subarray(n * 30_000, (n + 1) * 30_000)));
const bytesOf = async (read: Promise<Readable | undefined>) => buffer((await read)!);

describe('recordings in a bucket of an S3-compatible store', () => {
  it('recordings in a bucket of an S3-compatible store are written in a stream, and read whole or in part', async () => {
    const blobs = s3Blobs(bucket);
    await blobs.write('cal_1-1', inPieces(content), content.length);
    expect([...server.objects.keys()]).toEqual(['/parley-recordings/live/cal_1-1.wav']);
    expect(await blobs.size('cal_1-1')).toBe(content.length);
    expect((await bytesOf(blobs.read('cal_1-1'))).equals(content)).toBe(true);
    const part = await bytesOf(blobs.read('cal_1-1', { start: 100, end: 250 }));
    expect(part.equals(content.subarray(100, 250))).toBe(true);
    expect(await bytesOf(blobs.read('cal_1-1', { start: 100, end: 100 }))).toHaveLength(0);
  });

  it('recordings in a bucket of an S3-compatible store do not exist once removed, and can be removed twice', async () => {
    const blobs = s3Blobs(bucket);
    await blobs.write('cal_2-1', Readable.from([Buffer.from('audio')]), 5);
    await blobs.remove('cal_2-1');
    await blobs.remove('cal_2-1');
    expect(await blobs.size('cal_2-1')).toBeUndefined();
    expect(await blobs.read('cal_2-1')).toBeUndefined();
  });

  it('recordings in a bucket of an S3-compatible store are not replaced', async () => {
    const blobs = s3Blobs(bucket);
    expect(await blobs.write('cal_9-1', inPieces(content), content.length)).toBe('written');
    expect(await blobs.write('cal_9-1', Readable.from([Buffer.from('other')]), 5)).toBe('exists');
    expect((await bytesOf(blobs.read('cal_9-1'))).equals(content)).toBe(true);
    await blobs.remove('cal_9-1');
  });

  it('recordings in a bucket of an S3-compatible store are not stored when the sender breaks off', async () => {
    const broken = Readable.from(
      (function* () {
        yield content.subarray(0, 1000);
        throw new Error('connection lost');
      })(),
    );
    await expect(s3Blobs(bucket).write('cal_3-1', broken, content.length)).rejects.toThrow('connection lost');
    expect(await s3Blobs(bucket).size('cal_3-1')).toBeUndefined();
  });

  it("recordings in a bucket of an S3-compatible store are refused with the store's code and without its message when the credentials are wrong", async () => {
    const wrong = s3Blobs({ ...bucket, secretAccessKey: 'another' });
    await expect(wrong.write('cal_4-1', Readable.from([content]), content.length)).rejects.toThrow(
      /^S3 answered 403 to PUT: SignatureDoesNotMatch$/,
    );
    await expect(wrong.size('cal_4-1')).rejects.toThrow('S3 answered 403 to HEAD');
    await expect(wrong.read('cal_1-1')).rejects.toThrow('S3 answered 403 to GET: SignatureDoesNotMatch');
    await expect(wrong.remove('cal_1-1')).rejects.toThrow('S3 answered 403 to DELETE: SignatureDoesNotMatch');
  });

  it('a bucket leaves recordings that were stored in the database readable and removable', async () => {
    const earlier = new Map([['cal_5-1', Buffer.from('earlier')]]);
    const database: Blobs = {
      write: () => Promise.reject(new Error('written to the database')),
      read: async (name) => (earlier.has(name) ? Readable.from([earlier.get(name)!]) : undefined),
      size: async (name) => earlier.get(name)?.length,
      existing: async (names) => new Set(names.filter((name) => earlier.has(name))),
      remove: async (name) => void earlier.delete(name),
    };
    const blobs = layeredBlobs(s3Blobs(bucket), database);
    expect((await bytesOf(blobs.read('cal_5-1'))).toString()).toBe('earlier');
    expect(await blobs.size('cal_5-1')).toBe(7);
    await blobs.write('cal_6-1', Readable.from([Buffer.from('later')]), 5);
    expect((await bytesOf(blobs.read('cal_6-1'))).toString()).toBe('later');
    expect([...(await blobs.existing(['cal_4-1', 'cal_5-1', 'cal_6-1']))].sort()).toEqual(['cal_5-1', 'cal_6-1']);
    await blobs.remove('cal_5-1');
    expect(await blobs.size('cal_5-1')).toBeUndefined();
  });
});
