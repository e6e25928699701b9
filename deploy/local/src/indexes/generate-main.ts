// Implements `npm run generate-indexes`: starts every service with an empty database and writes down which indexes it then has.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@parley/embedded';
import { startAlone } from '../alone/start-alone.ts';
import { catalogFile, catalogText, declaredIndexes, servicesWithDatabase } from './index-catalogs.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const dataDir = await mkdtemp(path.join(tmpdir(), 'parley-indexes-'));
try {
  const alone = await startAlone({
    only: servicesWithDatabase,
    port: await freePort(30),
    dataDir,
    environment: { ...process.env, LOG_LEVEL: 'silent' },
    progress: () => {},
    signal: new AbortController().signal,
  });
  try {
    for (const [service, catalog] of await declaredIndexes(alone))
      await writeFile(catalogFile(root, service), catalogText(catalog));
  } finally {
    await alone.stop();
  }
} finally {
  await rm(dataDir, { recursive: true });
}
