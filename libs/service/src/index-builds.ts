import { readFile } from 'node:fs/promises';
import { buildIndexes, connectMongo, type IndexCatalog } from '@parley/mongo';
import { startTelemetry, type Telemetry } from '@parley/telemetry';
import { z } from 'zod';
import { baseSettings, type Environment, loadConfig, mongoSettings } from './config.ts';
import { VERSION } from './version.ts';

/** The argument of a service's program with which it builds its indexes and ends, while the version before may still run. */
export const BUILD_INDEXES = 'build-indexes';

/** Builds the indexes of a catalog file, which `npm run generate-indexes` makes. A service that is new has no database yet. */
export async function runIndexBuilds(service: string, catalogFile: URL, env: Environment): Promise<void> {
  const { LOG_LEVEL } = loadConfig(service, z.object({ LOG_LEVEL: baseSettings.LOG_LEVEL }), env);
  const telemetry = startTelemetry({ service, version: VERSION, logLevel: LOG_LEVEL });
  try {
    if (env.MONGODB_URL) await buildIn(service, catalogFile, env, telemetry);
    else telemetry.log.info('no MONGODB_URL, no indexes');
  } finally {
    await telemetry.stop();
  }
}

async function buildIn(service: string, catalogFile: URL, env: Environment, telemetry: Telemetry): Promise<void> {
  const { log } = telemetry;
  const { MONGODB_URL: url, MONGODB_DATABASE: database } = loadConfig(service, z.object(mongoSettings), env);
  const catalog = JSON.parse(await readFile(catalogFile, 'utf8')) as IndexCatalog;
  const mongo = await connectMongo({ url, database, telemetry });
  try {
    log.info({ version: VERSION, ...(await buildIndexes(mongo.db, catalog, log)) }, 'indexes are there');
  } finally {
    await mongo.close();
  }
}
