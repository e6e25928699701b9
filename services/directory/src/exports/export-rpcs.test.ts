import { buffer } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import { type ExportedFile, jsonFile } from '@parley/personal-data';
import { waitUntil } from '@parley/testkit';
import { fromBufferPromise } from 'yauzl';
import { zipOf } from './export-rpcs.ts';

async function* of<Item>(...items: Item[]) {
  yield* items;
}

it('an archive has every file as it is', async () => {
  const audio = Buffer.alloc(300_000, 'RIFF');
  const archive = await buffer(
    zipOf(of<ExportedFile>(jsonFile('calls.json', of({ id: 'cal_1' })), { name: 'audio/1.wav', content: of(audio) })),
  );
  const zip = await fromBufferPromise(archive);
  const found: Record<string, Buffer> = {};
  for await (const entry of zip.eachEntry())
    found[entry.fileName] = await buffer(await zip.openReadStreamPromise(entry));
  expect(Object.keys(found)).toEqual(['calls.json', 'audio/1.wav']);
  expect(JSON.parse(found['calls.json']!.toString())).toEqual([{ id: 'cal_1' }]);
  expect(found['audio/1.wav']!.equals(audio)).toBe(true);
});

it('an archive of nothing is a zip', async () => {
  expect((await fromBufferPromise(await buffer(zipOf(of<ExportedFile>())))).entryCount).toBe(0);
});

it('a service that fails ends the archive with an error, not as if it were complete', async () => {
  async function* failing(): AsyncGenerator<ExportedFile> {
    yield jsonFile('calls.json', of({ id: 'cal_1' }));
    throw new Error('away');
  }
  await expect(buffer(zipOf(failing()))).rejects.toThrow('away');
  async function* broken() {
    yield Buffer.from('RIFF');
    throw new Error('the bucket is away');
  }
  const files = of<ExportedFile>({ name: 'audio/1.wav', content: broken() });
  await expect(buffer(zipOf(files))).rejects.toThrow('the bucket is away');
});

it('an archive reads no further than it is read', async () => {
  let read = 0;
  async function* endless() {
    for (;;) {
      read += 1;
      yield Buffer.alloc(64 * 1024);
    }
  }
  const archive = zipOf(of<ExportedFile>({ name: 'audio/1.wav', content: endless() }));
  await archive[Symbol.asyncIterator]().next();
  await new Promise((resolve) => setImmediate(resolve));
  expect(read).toBeLessThan(100);
  archive.destroy();
});

it('an archive that is not read to its end ends what it reads', async () => {
  const ended: string[] = [];
  async function* endless() {
    try {
      for (;;) yield Buffer.alloc(64 * 1024);
    } finally {
      ended.push('content');
    }
  }
  async function* files(): AsyncGenerator<ExportedFile> {
    try {
      yield { name: 'audio/1.wav', content: endless() };
    } finally {
      ended.push('files');
    }
  }
  for await (const _ of zipOf(files())) break;
  await waitUntil(() => ended.length === 2, { what: 'the end of the sources' });
});
