import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pcm16Format, wavHeader } from '@parley/audio';
import { callRpc, type Secrets } from '@parley/local';
import { SpeechService } from '@parley/proto/speech/v1/speech_pb';
import { encryptor } from '@parley/secrets';
import { searchWordKeys } from '@parley/text';
import { insertEntities } from '@parley/testkit/stored-documents';
import { createLog } from '@parley/telemetry';
import { type Db, MongoClient } from 'mongodb';
import type { CallNumber } from '../../services/call-control/src/calls/model/call.ts';
import type { Participant } from '../../services/call-control/src/calls/model/participant.ts';
import { openRecordings } from '../../services/call-control/src/recordings/open-recordings.ts';
import { openSearch } from '../../services/call-control/src/search/search-store.ts';
import { openTranscripts } from '../../services/call-control/src/transcripts/transcript-store.ts';
import { voicemailTexts } from '../../services/call-control/src/voicemails/voicemail-proto.ts';
import { textContext } from '../../services/messaging-inbox/src/messages/message.ts';
import { type Company, createTestCompany, operate, succeeded } from '../support/api.ts';
import { createNumber } from '../business-numbers/create-number.ts';
import type { LocalJson } from '../support/local-stack.ts';
import { type History, historyOf, type HistorySize, type SeededCall } from './history.ts';
import { ANSWERS, conversation, QUESTIONS } from './phrases.ts';
import { pollUntil } from './poll-until.ts';

export interface SeedOptions extends HistorySize {
  readonly name: string;
  readonly seed: string;
  readonly numbers: number;
  readonly employees: number;
  /** The end of the history. */
  readonly until: Date;
}

/** A running stack, and where its databases are. */
export interface SeedTarget {
  readonly local: LocalJson;
  readonly dataDir: string;
  /** An engine that all services use, instead of those of the data directory. */
  readonly mongoUrl?: string | undefined;
  readonly progress: (line: string) => void;
}

/** The company with its owner's access, and the seconds that each stage took. */
export interface Seeded {
  readonly company: Company;
  readonly secs: Readonly<Record<string, number>>;
}

const BATCH = 1000;
/** Writes that the services' stores do one by one. */
const PARALLEL = 200;
const EMBEDDED_AT_ONCE = 8;
const EMBED_ATTEMPTS_MAX = 5;
/** Many times what a million calls take. */
const REBUILD_MS_MAX = 6 * 3_600_000;
/** A fifth of a second of silence. */
const SAMPLE_RATE = 8000;
const SAMPLES = SAMPLE_RATE / 5;

/** Creates a company with a history, as its services would have stored it, and lets them rebuild what they derive from it. */
export async function seedCompany(target: SeedTarget, options: SeedOptions): Promise<Seeded> {
  const { local, progress } = target;
  await using end = new AsyncDisposableStack();
  const company = await createTestCompany(local, { name: options.name, messaging_enabled: true });
  const [numbers, employees] = [await addNumbers(target, company, options), await addEmployees(company, options)];
  const bytes = Buffer.concat([wavHeader(pcm16Format(1, SAMPLE_RATE), SAMPLES * 2), Buffer.alloc(SAMPLES * 2)]);
  const recording = { bytes, durationMs: (SAMPLES / SAMPLE_RATE) * 1000 };
  const history = historyOf({ ...options, companyId: company.id, country: 'DK', numbers, employees, recording });
  const databases = await openDatabases(target, end);
  const secs: Record<string, number> = {};
  const stage = async (name: string, work: () => Promise<void>) => {
    const startedMs = performance.now();
    await work();
    secs[name] = (performance.now() - startedMs) / 1000;
    progress(`${name}: ${secs[name].toFixed(1)} s`);
  };
  const directory = databases.of('directory');
  await stage('contacts', () =>
    inBatches(options.contacts, (indexes) => insertEntities(directory, 'contacts', indexes.map(history.contact))),
  );
  await stage('texts', () => addTexts(databases, history, options.texts));
  const addCalls = await callWriter(target, databases, { company, recording: bytes });
  await stage('calls', () => inBatches(options.calls, (indexes) => addCalls(indexes.map(history.call))));
  await stage('inbox rebuild', () => rebuildInbox(local, company));
  await stage('report rebuild', () => rebuildReports(local, company));
  return { company, secs };
}

/** Starts a rebuild of the inbox and waits for its end. */
export async function rebuildInbox(
  local: LocalJson,
  { id }: Pick<Company, 'id'>,
  signal: AbortSignal = AbortSignal.timeout(REBUILD_MS_MAX),
): Promise<void> {
  const address = `/companies/${id}/inbox_rebuild`;
  await succeeded(operate(local, 'POST', address));
  await pollUntil(async () => (await succeeded(operate(local, 'GET', address))).body.status === 'finished', signal);
}

/** Starts a rebuild of the reports and waits until they answer. */
export async function rebuildReports(
  local: LocalJson,
  company: Company,
  signal: AbortSignal = AbortSignal.timeout(REBUILD_MS_MAX),
): Promise<void> {
  await succeeded(operate(local, 'POST', `/companies/${company.id}/report_rebuild`));
  await pollUntil(async () => (await company.call('GET', '/reports/calls')).status === 200, signal);
}

async function addNumbers(target: SeedTarget, company: Company, { numbers }: SeedOptions): Promise<CallNumber[]> {
  const added: CallNumber[] = [];
  for (let index = 0; index < numbers; index++) {
    const { body } = await createNumber(company, { name: `Line ${index + 1}` }, target.local);
    const { id, name, number, number_formatted: formatted = number } = body;
    added.push({ id, name, number, formatted, recordingEnabled: true, waitAudio: 'ringtone' });
  }
  return added;
}

async function addEmployees(company: Company, { employees }: SeedOptions): Promise<Participant[]> {
  const { id, name } = company.owner;
  const added: Participant[] = [{ id, name }];
  for (let index = 1; index < employees; index++) {
    const email = `employee.${index}.${randomInt(2 ** 40).toString(36)}@example.com`;
    const { body } = await succeeded(company.call('POST', '/employees', { name: `Employee ${index}`, email }));
    added.push({ id: body.id, name: body.name });
  }
  return added;
}

interface Databases {
  of(service: 'directory' | 'call-control' | 'messaging-inbox'): Db;
  readonly secrets: Secrets;
  encryptionKey(service: string): string;
}

/** The databases of the services, and the keys that they encrypt with. */
async function openDatabases({ dataDir, mongoUrl }: SeedTarget, end: AsyncDisposableStack): Promise<Databases> {
  const read = async (file: string) => JSON.parse(await readFile(path.join(dataDir, file), 'utf8'));
  const { path: sockets } = (await read('sockets.json')) as { path: string };
  const secrets = (await read('secrets.json')) as Secrets;
  const clients = new Map<string, MongoClient>();
  end.defer(async () => void (await Promise.all([...clients.values()].map((client) => client.close()))));
  return {
    secrets,
    encryptionKey: (service) => secrets.services[service]!.encryptionKey,
    of(service) {
      const socket = encodeURIComponent(path.join(sockets, `${service}.sock`));
      const client = clients.get(service) ?? new MongoClient(mongoUrl ?? `mongodb://${socket}/?directConnection=true`);
      clients.set(service, client);
      return client.db(`parley_${service.replaceAll('-', '_')}`);
    },
  };
}

async function addTexts(databases: Databases, history: History, count: number): Promise<void> {
  const { encrypt } = encryptor(databases.encryptionKey('messaging-inbox'));
  const sealed = (id: string, text: string) => encrypt(text, textContext(id));
  const db = databases.of('messaging-inbox');
  await inBatches(count, (indexes) =>
    insertEntities(
      db,
      'messages',
      indexes.map((index) => history.text(index, sealed)),
    ),
  );
}

/** Stores calls with what belongs to them; the calls last, so that whoever sees one finds everything. */
async function callWriter(
  target: SeedTarget,
  databases: Databases,
  { company, recording }: { company: Company; recording: Buffer },
): Promise<(calls: readonly SeededCall[]) => Promise<void>> {
  const db = databases.of('call-control');
  const keys = [databases.encryptionKey('call-control')];
  const texts = encryptor(keys);
  const transcripts = await openTranscripts(db, texts);
  const { seal } = voicemailTexts(texts);
  const { blobs } = await openRecordings(db, { keys, bucket: null, publicUrl: target.local.base_url });
  const search = await openSearch({
    db,
    speech: { embed: await openEmbeddings(databases, target, company.id) },
    callerText: async () => '',
    wordKeys: searchWordKeys(keys),
    log: createLog({ service: 'seed', level: 'warn' }),
  });
  return async (calls) => {
    await inParallel(calls, async ({ call, transcript }) => {
      if (!transcript) return;
      await Promise.all([transcripts.save(transcript), search.add(call, transcript)]);
    });
    await inParallel(
      calls.flatMap(({ call }) => call.recordings),
      async ({ name }) => void (await blobs.write(name, Readable.from([recording]), recording.length)),
    );
    const voicemails = calls.flatMap(({ voicemail, message = '' }) =>
      voicemail ? [{ ...voicemail, sealedTranscription: seal(voicemail.id, message) }] : [],
    );
    if (voicemails.length > 0) await insertEntities(db, 'voicemails', voicemails);
    await insertEntities(
      db,
      'calls',
      calls.map(({ call }) => call),
    );
  };
}

/** Vectors of what is said in calls. There are a few conversations only, which differ in the order that they are about. */
async function openEmbeddings({ secrets }: Databases, { dataDir, progress }: SeedTarget, companyId: string) {
  const texts = QUESTIONS.flatMap((question) =>
    ANSWERS.flatMap((answer) => {
      const said = conversation(question, answer, 0);
      return [said.join(' '), said.toReversed().join(' ')];
    }),
  );
  const { path: sockets } = JSON.parse(await readFile(path.join(dataDir, 'sockets.json'), 'utf8')) as { path: string };
  const known = new Map<string, number[]>();
  let model = '';
  const learn = async (some: readonly string[]) => {
    const call = callRpc({
      address: `unix:${path.join(sockets, 'speech.grpc.sock')}`,
      contract: SpeechService,
      method: SpeechService.method.embed,
      request: { texts: [...some], companyId },
      principal: { kind: 'service', name: 'call-control' },
      secrets,
    });
    for await (const answer of call) {
      const embedded = answer as unknown as { vectors: { values: number[] }[]; model: string };
      model = embedded.model;
      for (const [index, { values }] of embedded.vectors.entries()) known.set(withoutOrder(some[index]!), values);
    }
  };
  try {
    for (let from = 0; from < texts.length; from += EMBEDDED_AT_ONCE)
      await repeatedly(() => learn(texts.slice(from, from + EMBEDDED_AT_ONCE)));
  } catch (error) {
    progress(`calls are found by their words only, because speech cannot compare texts: ${(error as Error).message}`);
  }
  return async (chunks: readonly string[]) => ({
    vectors: chunks.flatMap((chunk) => {
      const vector = known.get(withoutOrder(chunk));
      return vector ? [vector] : [];
    }),
    model,
  });
}

/** Speech loads its model with the first request, which may take longer than a request may. */
async function repeatedly(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; attempt < EMBED_ATTEMPTS_MAX; attempt++) {
    const succeeded = await work().then(
      () => true,
      () => false,
    );
    if (succeeded) return;
  }
  await work();
}

const withoutOrder = (text: string) => text.replaceAll(/\d+/g, '');

async function inBatches(count: number, work: (indexes: number[]) => Promise<void>): Promise<void> {
  for (let from = 0; from < count; from += BATCH)
    await work(Array.from({ length: Math.min(BATCH, count - from) }, (_, index) => from + index));
}

async function inParallel<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  for (let from = 0; from < all.length; from += PARALLEL)
    await Promise.all(all.slice(from, from + PARALLEL).map((one) => work(one)));
}
