import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { MongoClient } from 'mongodb';
import { sharedDataDir } from './api.ts';

/** Every document of every service, as the server sends it, and every file of the event stream. */
export async function storedBytes(dataDir = sharedDataDir()): Promise<Buffer> {
  const { path: directory } = JSON.parse(await readFile(path.join(dataDir, 'sockets.json'), 'utf8'));
  const sockets = (await readdir(directory)).filter((name) => name.endsWith('.sock') && !name.endsWith('.grpc.sock'));
  const documents: Buffer[] = [];
  for (const name of sockets) {
    const url = `mongodb://${encodeURIComponent(path.join(directory, name))}/?directConnection=true`;
    await using client = await new MongoClient(url).connect();
    for (const { name: database } of (await client.db().admin().listDatabases()).databases) {
      for (const collection of await client.db(database).collections()) {
        for await (const raw of collection.find({}, { raw: true })) documents.push(raw as unknown as Buffer);
      }
    }
  }
  const streams = path.join(dataDir, 'nats');
  const files = (await readdir(streams, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const events = await Promise.all(files.map((file) => readFile(path.join(file.parentPath, file.name))));
  return Buffer.concat([...documents, ...events]);
}
