import { rm } from 'node:fs/promises';
import path from 'node:path';
import { startMongo } from '@parley/embedded';
import { breakable, type OwnServer } from './own-server.ts';
import { scratchDir } from '../utilities/scratch-dir.ts';

/** A MongoDB of one test alone. */
export interface OwnMongo extends OwnServer {
  readonly url: string;
}

/** Starts a MongoDB for a test that breaks it. */
export async function ownMongo(): Promise<OwnMongo> {
  const scratch = await scratchDir();
  const dataDir = path.join(scratch.path, 'data');
  let url = '';
  const launch = async () => {
    const mongo = await startMongo({ dataDir, socketDir: scratch.path, log: () => {} });
    url = mongo.url;
    return mongo;
  };
  const wipe = () => rm(dataDir, { recursive: true, force: true });
  const server = await breakable(launch, { wipe, remove: scratch.remove });
  return { ...server, url };
}
