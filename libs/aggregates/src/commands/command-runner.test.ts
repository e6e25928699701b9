import { systemClock, trackBackgroundWork } from '@parley/clock';
import type { DocumentWriter } from '../writes/document-writer.ts';
import type { DocumentCache } from '../stored/document-reader.ts';
import type { StoredDocument } from '../stored/stored-document.ts';
import { startTelemetry, type Telemetry } from '@parley/telemetry';
import { waitUntil } from '@parley/testkit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type CommandEntry, newEntry } from '../stored/bookkeeping.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { type CommandRunner, commandRunner } from './command-runner.ts';

const LEASE_MS = 600;

let telemetry: Telemetry;
let runner: CommandRunner;
let release: () => void;
let aborted: string[];
let leased: Record<string, () => boolean>;
const documents = new Map<string, StoredDocument>();
const commandsOf = (id: string) => (documents.get(id)?.['_commands'] ?? []) as readonly CommandEntry[];

/** Documents in memory, of which one cannot be written. */
const writer = {
  async updateBookkeeping(id: string, decide: (stored: StoredDocument) => { extra: { set?: object } } | undefined) {
    if (id === 'broken') throw new Error('too many writers');
    const stored = documents.get(id)!;
    const revision = decide(stored);
    if (revision) documents.set(id, { ...stored, ...revision.extra.set });
    return revision !== undefined;
  },
} as unknown as DocumentWriter;
const cache = { get: (id: string) => documents.get(id) } as DocumentCache;
const outbox: Outbox = {
  write: (_before, _deleted, _effects, kept) => ({ set: { _commands: kept?.commands ?? [] } }),
  afterWrite: () => undefined,
};

beforeEach(() => {
  const { promise, resolve } = Promise.withResolvers<void>();
  release = resolve;
  aborted = [];
  leased = {};
  telemetry = startTelemetry({
    service: 'test',
    version: '0',
    logLevel: 'error',
    logDestination: { write: () => undefined },
  });
  runner = commandRunner({
    writer,
    outbox,
    cache,
    handlers: {
      mail: {
        guarantee: 'until_confirmed',
        async execute(_command, { aggregateId, signal, isLeased }) {
          signal.addEventListener('abort', () => aborted.push(aggregateId));
          leased[aggregateId] = isLeased;
          await promise;
        },
      },
    },
    clock: systemClock,
    backgroundWork: trackBackgroundWork(),
    telemetry,
    leaseMs: LEASE_MS,
  });
});
afterEach(async () => {
  release();
  await runner.stop();
  await telemetry.stop();
});

describe('the leases of commands in progress', () => {
  it('the leases of commands in progress are renewed although one document cannot be written', async () => {
    for (const id of ['broken', 'well']) {
      const stored = {
        _id: id,
        companyId: 'com_1',
        _version: 1,
        _stamps: [],
        _deleted: false,
        _commands: runner.claim([newEntry({ kind: 'mail' }, null)]),
      };
      documents.set(id, stored);
      runner.start(stored);
    }
    const [first] = commandsOf('well');
    await waitUntil(() => commandsOf('well')[0]!.lease!.until > first!.lease!.until, { what: 'the renewal' });
    expect(aborted).toEqual([]);
  });

  it('the leases of commands in progress end for the execution itself when they were not renewed in time, before it is told so', async () => {
    const stored = {
      _id: 'broken',
      companyId: 'com_1',
      _version: 1,
      _stamps: [],
      _deleted: false,
      _commands: runner.claim([newEntry({ kind: 'mail' }, null)]),
    };
    runner.start(stored);
    expect(leased['broken']!()).toBe(true);
    await waitUntil(() => !leased['broken']!(), { what: 'the end of the lease' });
    expect(aborted).toEqual([]);
  });
});
