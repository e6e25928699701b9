import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { MongoClient } from 'mongodb';
import { sharedDataDir } from './api.ts';

/** A collection of a service, or a file of the event stream, with its content. */
interface StoredPlace {
  readonly name: string;
  readonly content: Buffer;
}

/** Every document of every service, as the server sends it, and every file of the event stream. */
export async function storedBytes(dataDir?: string): Promise<Buffer> {
  return Buffer.concat((await storedPlaces(dataDir)).map(({ content }) => content));
}

/** Names the places where a text is stored, for the message of a failure. */
export async function placesWith(text: string, dataDir?: string): Promise<string[]> {
  return (await storedPlaces(dataDir)).filter(({ content }) => content.includes(text)).map(({ name }) => name);
}

async function storedPlaces(dataDir = sharedDataDir()): Promise<StoredPlace[]> {
  const { path: directory } = JSON.parse(await readFile(path.join(dataDir, 'sockets.json'), 'utf8'));
  const sockets = (await readdir(directory)).filter((name) => name.endsWith('.sock') && !name.endsWith('.grpc.sock'));
  const places: StoredPlace[] = [];
  const read = new Set<string>();
  for (const name of sockets) {
    const url = `mongodb://${encodeURIComponent(path.join(directory, name))}/?directConnection=true`;
    await using client = await new MongoClient(url).connect();
    for (const { name: database } of (await client.db().admin().listDatabases()).databases) {
      // Services that share an engine see the databases of all.
      if (['admin', 'config', 'local'].includes(database) || read.has(database)) continue;
      read.add(database);
      for (const collection of await client.db(database).collections()) {
        const documents = (await collection.find({}, { raw: true }).toArray()) as unknown as Buffer[];
        places.push({ name: `${database}.${collection.collectionName}`, content: Buffer.concat(documents) });
      }
    }
  }
  const streams = path.join(dataDir, 'nats');
  const files = (await readdir(streams, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  for (const { parentPath, name } of files)
    places.push({ name: `nats/${name}`, content: await readFile(path.join(parentPath, name)) });
  return places;
}
