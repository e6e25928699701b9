import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { waitForExit } from '../process/find-processes.ts';
import { type EmbeddedMongo, startMongo } from './start-mongo.ts';

let directory: string;
let mongo: EmbeddedMongo | undefined;
let client: MongoClient | undefined;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'parley-'));
});

afterEach(async () => {
  await client?.close();
  await mongo?.stop();
  mongo = client = undefined;
  await rm(directory, { recursive: true });
});

/** Starts an engine; `back` resolves when it has been started again. */
async function start(clients?: readonly string[]) {
  let sayBack: () => void;
  const back = new Promise<void>((resolve) => (sayBack = resolve));
  const log = (line: string) => line.endsWith('has restarted') && sayBack();
  const dataDir = path.join(directory, 'data');
  mongo = await startMongo({ dataDir, socketDir: directory, restart: true, log, ...(clients && { clients }) });
  client = new MongoClient(mongo.url);
  return { mongo, contacts: client.db('directory').collection<{ _id: number }>('contacts'), back };
}

describe('the embedded MongoDB', () => {
  it('the embedded MongoDB keeps every acknowledged write through kill -9 and serves it again at the same address', async () => {
    const { mongo, contacts, back } = await start();
    for (let i = 0; i < 50; i++) await contacts.insertOne({ _id: i });
    const killed = mongo.pid!;
    process.kill(killed, 'SIGKILL');
    await back;
    expect(mongo.pid).not.toBe(killed);
    expect(await contacts.countDocuments()).toBe(50);
  });

  it('the embedded MongoDB looks after its journal and its cache rarely while nothing is written, also after a restart', async () => {
    const { mongo, back } = await start();
    const settings = () =>
      client!.db('admin').command({ getParameter: 1, journalCommitInterval: 1, wiredTigerEngineRuntimeConfig: 1 });
    const wanted = {
      journalCommitInterval: 500,
      wiredTigerEngineRuntimeConfig: 'eviction=(threads_min=1,threads_max=4)',
    };
    expect(await settings()).toMatchObject(wanted);
    process.kill(mongo.pid!, 'SIGKILL');
    await back;
    expect(await settings()).toMatchObject(wanted);
  });

  it('the embedded MongoDB finds its data after a stop and a new start', async () => {
    const first = await start();
    await first.contacts.insertOne({ _id: 1 });
    await client?.close();
    await first.mongo.stop();
    const { contacts } = await start();
    expect(await contacts.findOne()).toEqual({ _id: 1 });
  });

  it('the embedded MongoDB rejects messages that would crash it, and continues', async () => {
    const { contacts } = await start();
    const deep = JSON.parse('{"a":'.repeat(1_500) + '1' + '}'.repeat(1_500)) as object;
    await expect(client!.db('admin').command({ startSession: 1 })).rejects.toThrow("no command 'startSession'");
    await expect(contacts.findOne(deep)).rejects.toThrow('levels deep');
    await contacts.insertOne({ _id: 1 });
    expect(await contacts.findOne()).toEqual({ _id: 1 });
  });

  it('the embedded MongoDB serves clients that share it, each at an address of its own, also after a restart', async () => {
    const { mongo, back } = await start(['directory', 'identity']);
    await using other = new MongoClient(mongo.urls['identity']!);
    const accounts = other.db('identity').collection<{ _id: number }>('accounts');
    await accounts.insertOne({ _id: 1 });
    expect(await client!.db('identity').collection('accounts').countDocuments()).toBe(1);
    process.kill(mongo.pid!, 'SIGKILL');
    await back;
    expect(await accounts.findOne()).toEqual({ _id: 1 });
    expect(await client!.db('identity').collection('accounts').countDocuments()).toBe(1);
  });

  it('the embedded MongoDB carries a document of 15 MB', async () => {
    await start();
    const files = client!.db('files').collection<{ _id: number; text: string }>('files');
    await files.insertOne({ _id: 1, text: 'x'.repeat(15_000_000) });
    expect((await files.findOne())?.text.length).toBe(15_000_000);
  });

  it('the embedded MongoDB refuses a socket path that the system cannot hold', async () => {
    const socketDir = path.join(directory, 'x'.repeat(100));
    await expect(startMongo({ dataDir: directory, socketDir, log: () => {} })).rejects.toThrow('longer than 107 bytes');
  });

  it('the embedded MongoDB ends with the process that started it', async () => {
    const index = path.join(import.meta.dirname, '../index.ts');
    const program = `
      import { startMongo } from ${JSON.stringify(index)};
      await startMongo({ dataDir: process.argv[1] + '/data', socketDir: process.argv[1], restart: true, log: () => {} });
      process.kill(process.pid, 'SIGKILL');`;
    const args = ['--input-type=module-typescript', '-e', program, directory];
    const how = await new Promise((resolve) => execFile(process.execPath, args, (error) => resolve(error?.signal)));
    expect(how).toBe('SIGKILL');
    expect(await waitForExit((argv) => argv.includes(path.join(directory, 'data')), 30_000)).toBe(true);
  });
});
