import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { IndexCatalog } from '@parley/mongo';
import { freePort, scratchDir } from '@parley/testkit';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AloneServices, startAlone } from '../alone/start-alone.ts';
import { catalogFile, catalogText, declaredIndexes, servicesWithDatabase } from './index-catalogs.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const START_MS_MAX = 180_000;

let scratch: Awaited<ReturnType<typeof scratchDir>>;
let alone: AloneServices;
beforeAll(async () => {
  scratch = await scratchDir();
  alone = await startAlone({
    only: servicesWithDatabase,
    port: await freePort(30),
    dataDir: path.join(scratch.path, 'data'),
    environment: { ...process.env, LOG_LEVEL: 'silent' },
    progress: () => {},
    signal: new AbortController().signal,
  });
}, START_MS_MAX);
afterAll(async () => {
  await alone.stop();
  await scratch.remove();
}, START_MS_MAX);

describe('the catalogs of indexes', () => {
  it('the catalogs of indexes are what each service declares; run "npm run generate-indexes"', async () => {
    const declared = await declaredIndexes(alone);
    for (const [service, catalog] of declared)
      expect([service, await readFile(catalogFile(root, service), 'utf8')]).toEqual([service, catalogText(catalog)]);
  });

  it('the catalogs of indexes are built by the program of a service where collections exist, without starting it', async () => {
    const catalog = JSON.parse(await readFile(catalogFile(root, 'directory'), 'utf8')) as IndexCatalog;
    const url = alone.infrastructure.mongoUrls['directory'] ?? '';
    const client = await MongoClient.connect(url);
    try {
      const db = client.db('parley_index_builds');
      await db.createCollection('contacts');
      const buildIndexes = () =>
        promisify(execFile)(
          process.execPath,
          ['--disable-warning=ExperimentalWarning', 'src/main.ts', 'build-indexes'],
          {
            cwd: path.join(root, 'services/directory'),
            env: { MONGODB_URL: url, MONGODB_DATABASE: db.databaseName },
          },
        );
      const expected = ['_id_', ...(catalog['contacts'] ?? []).map(({ name }) => name)];
      expect(expected.length).toBeGreaterThan(3);
      expect((await buildIndexes()).stdout).toContain(`"built":${expected.length - 1}`);
      const indexes = await db.collection('contacts').indexes();
      expect(indexes.map(({ name }) => name).toSorted()).toEqual(expected.toSorted());
      expect(await db.listCollections({}, { nameOnly: true }).toArray()).toHaveLength(1);
      expect((await buildIndexes()).stdout).toContain('"built":0');
    } finally {
      await client.close();
    }
  });

  it('the catalogs of indexes are not needed by a service that has no database yet', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', 'src/main.ts', 'build-indexes'],
      { cwd: path.join(root, 'services/reports'), env: {} },
    );
    expect(stdout).toContain('no MONGODB_URL');
  });
});
