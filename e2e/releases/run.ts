// Documents and events of the last release, for the tests of the next one: `npm run release-fixtures`.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { MongoClient } from 'mongodb';
import { services } from '@parley/local';
import { RELEASE_KEY } from '@parley/testkit/release-documents';
import { waitUntil } from '@parley/testkit/wait-until';
import { installLastRelease } from '../drills/last-release.ts';
import { startDrillStack } from '../drills/drill-stack.ts';
import { documentsOf, eventsOf, isSettled } from './stored-documents.ts';
import { useEveryService } from './used-company.ts';

const REPO = path.resolve(import.meta.dirname, '../..');
const DOCUMENTS = path.join(REPO, 'libs/testkit/releases');
const EVENTS = path.join(REPO, 'libs/events/test/releases');
const SETTLED_WITHIN_MS = 60_000;

await using undone = new AsyncDisposableStack();
const defer = (undo: () => unknown) => undone.defer(async () => void (await undo()));
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void undone.disposeAsync().finally(() => process.exit(130)));
const { version, checkout, added } = await installLastRelease({ defer });
console.log(`${version} is installed`);
const names = services.flatMap(({ name, hasDatabase }) => (hasDatabase && !added.includes(name) ? [name] : []));
const settings = Object.fromEntries(names.map((name) => [name, { ENCRYPTION_KEY: RELEASE_KEY }]));
const stack = await startDrillStack({ defer }, { checkout, without: added, settings });
console.log('it runs');
await useEveryService(stack.local);

const folder = path.join(DOCUMENTS, version);
await mkdir(folder, { recursive: true });
const write = (file: string, content: object) => writeFile(file, `${JSON.stringify(content, null, 2)}\n`);
const events: Record<string, string> = {};
for (const name of names) {
  await using client = await new MongoClient(stack.mongo.urlOf(name)).connect();
  const db = client.db(stack.settingsOf(name)['MONGODB_DATABASE']);
  await waitUntil(() => isSettled(db), { what: `${name} to be settled`, timeoutMs: SETTLED_WITHIN_MS });
  await write(path.join(folder, `${name}.json`), await documentsOf(db));
  Object.assign(events, await eventsOf(db));
}
await write(path.join(EVENTS, `${version}-events.json`), events);
console.log(
  `documents of ${names.length} services and ${Object.keys(events).length} events are written; now npm run format`,
);
