import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { systemClock } from '@parley/clock';
import { idleRelay } from '@parley/aggregates/idle-relay';
import { erasureOf, type RetentionTarget } from '@parley/personal-data';
import { encryptor } from '@parley/secrets';
import { queryPlans, testMongo } from '@parley/testkit';
import { type Db, MongoClient } from 'mongodb';
import type { Call } from '../calls/model/call.ts';
import { inConversation } from '../../test/test-call.ts';
import { type Calls, openCalls } from '../calls/store/call-store.ts';
import { type Blobs, openBlobs } from '../recordings/blob-store.ts';
import type { SearchIndex } from '../search/search-store.ts';
import { openTranscripts, type Transcripts } from '../transcripts/transcript-store.ts';
import type { Voicemail } from '../voicemails/voicemail.ts';
import { openVoicemails, type Voicemails } from '../voicemails/voicemail-store.ts';
import type { CallViews } from '../call-rpcs/call-views.ts';
import type { VoicemailTexts } from '../voicemails/voicemail-proto.ts';
import { erasePerson } from './erase-person.ts';
import { exportPerson } from './export-person.ts';
import { retentionSteps } from './retention-steps.ts';

const mongo = testMongo();
const client = new MongoClient(mongo.url, { monitorCommands: true });
let db: Db;
let calls: Calls;
let voicemails: Voicemails;
let transcripts: Transcripts;
let blobs: Blobs;
const unsearchable: string[] = [];
const search = { remove: async (_company: string, id: string) => unsearchable.push(id) } as unknown as SearchIndex;
const forgotten: string[] = [];
const transcriptions = { forget: async (_company: string, name: string) => void forgotten.push(name) };

beforeAll(async () => {
  db = client.db(mongo.database('retention').databaseName);
  calls = await openCalls({ db, relay: idleRelay(), clock: systemClock });
  voicemails = await openVoicemails({ db, relay: idleRelay(), clock: systemClock });
  transcripts = await openTranscripts(db, encryptor(randomBytes(32).toString('base64')));
  blobs = await openBlobs(db, 'recordings');
}, 60_000);
afterAll(async () => {
  await client.close();
  await mongo.close();
});
let companies = 0;
let companyId: string;
beforeEach(() => void (companyId = `com_${(companies += 1)}`));

const PERSON = '+4520304050';
const OTHER = '+4531323334';
const at = (day: number) => new Date(Date.UTC(2026, 2, day));

/** A call of a day, with a recording and a transcript. */
async function aCall(day: number, more: Partial<Call> = {}): Promise<string> {
  const id = `cal_${companyId}_${day}`;
  const { call } = inConversation();
  const name = `${id}-1`;
  const recording = { name, kind: 'conversation', legId: 'l', status: 'stored', durationMs: 1, sizeBytes: 1 } as const;
  const state: Call = {
    ...call,
    id,
    companyId,
    startedAt: at(day),
    legIds: [id],
    isOpen: false,
    state: 'ended',
    hasTranscription: true,
    recordings: [{ ...recording, startedAt: at(day) }],
    ...more,
  };
  await calls.of(companyId).create({ ok: true, state, events: [], commands: [], timers: {} });
  await blobs.write(name, Readable.from([Buffer.from('audio')]), 5);
  const content = { text: 'words', segments: [], summary: 'words' };
  await transcripts.save({ id, companyId, ...content });
  return id;
}

async function remove(cutoffs: RetentionTarget['cutoffs'], marks: RetentionTarget['marks'] = {}) {
  const erase = erasureOf(retentionSteps({ calls, voicemails, blobs, transcripts, transcriptions, search }));
  let removed = 0;
  let after = marks;
  for (let position = ''; ;) {
    const portion = await erase({ companyId, cutoffs, marks }, position);
    removed += portion.removed;
    after = { ...after, ...portion.marks };
    if (portion.isDone) return { removed, marks: after };
    ({ position } = portion);
  }
}

const left = async () => (await calls.oldest(companyId, 1000, {})).map(({ id }) => id);

it('retention removes calls with everything that belongs to them, except those in progress and newer ones', async () => {
  const ids = await Promise.all(Array.from({ length: 60 }, (_, index) => aCall(index + 1)));
  const open = await aCall(0, { isOpen: true, state: 'bridged', legIds: [`open ${companyId}`] });
  expect((await remove({ calls: at(55) })).removed).toBe(55);
  expect(await left()).toEqual([open, ...ids.slice(55)]);
  expect(await blobs.size(`${ids[0]}-1`)).toBeUndefined();
  expect(await transcripts.get(companyId, ids[0] ?? '')).toBeUndefined();
  expect(unsearchable).toContain(ids[0]);
  expect(forgotten).toContain(`${ids[0]}-1`);
  expect(await blobs.size(`${open}-1`)).toBe(5);
  expect((await remove({ calls: at(55) })).removed).toBe(0);
}, 60_000);

it('retention removes recordings and transcripts of calls that stay, once, and those in progress when they have ended', async () => {
  const [first, open, last] = [await aCall(1), await aCall(2, { isOpen: true }), await aCall(3)];
  const { removed, marks } = await remove({ recordings: at(9), transcripts: at(9) });
  expect(removed).toBe(4);
  expect(await left()).toEqual([first, open, last]);
  for (const id of [first, last]) {
    expect(await blobs.size(`${id}-1`)).toBeUndefined();
    expect(await transcripts.get(companyId, id)).toBeUndefined();
    expect(await calls.of(companyId).get(id)).toMatchObject({ hasTranscription: false, isContentRemoved: true });
  }
  expect(await blobs.size(`${open}-1`)).toBe(5);
  await calls.of(companyId).change(open, (call) => ({
    ok: true,
    state: { ...call, isOpen: false },
    events: [],
    commands: [],
    timers: {},
  }));
  const second = await remove({ recordings: at(9), transcripts: at(9) }, marks);
  expect(second.removed).toBe(2);
  expect(await blobs.size(`${open}-1`)).toBeUndefined();
  expect(await remove({ recordings: at(9), transcripts: at(9) }, second.marks)).toMatchObject({ removed: 0 });
});

/** A voicemail whose call goes before it. */
async function anOutlivingVoicemail() {
  const voicemailId = `vml_${companyId}`;
  const name = `cal_${companyId}_1-1`;
  const recording = { name, kind: 'voicemail', legId: 'l', status: 'stored', durationMs: 1, sizeBytes: 1 } as const;
  await aCall(1, { voicemailId, recordings: [{ ...recording, startedAt: at(1) }] });
  const voicemail = { id: voicemailId, companyId, callId: 'c', from: PERSON, recording: name, createdAt: at(1) };
  const state = { ...voicemail, number: inConversation().call.number, isListened: false, listenedAt: null };
  await voicemails.of(companyId).create({
    ok: true,
    state: { ...state, durationSecs: 1 } satisfies Voicemail,
    events: [],
    commands: [],
    timers: {},
  });
  await remove({ calls: at(9), recordings: at(9) });
  expect(await left()).toEqual([]);
  expect(await blobs.size(name)).toBe(5);
  return { voicemailId, name };
}

it('a voicemail of a call that is gone is exported and erased with its person, and found by indexes', async () => {
  const { voicemailId, name } = await anOutlivingVoicemail();
  const person = { companyId, phoneNumber: PERSON, before: at(9) };
  const texts = { textOf: () => null } as unknown as VoicemailTexts;
  const views = { show: async () => [] } as unknown as CallViews;
  const files = new Map<string, string>();
  for await (const file of exportPerson({ calls, voicemails, blobs, views, voicemailTexts: texts })(person))
    files.set(file.name, await text(file.content));
  expect(files.get('voicemails.json')).toContain(voicemailId);
  expect(files.get(`audio/${name}.wav`)).toBe('audio');

  const { removal } = idleRelay();
  const erase = erasePerson({ db, removal, calls, voicemails, blobs, transcripts, search });
  const plans = await queryPlans(client, db, async () => {
    expect(await erase({ ...person, before: at(0) }, 'voicemails/')).toMatchObject({ removed: 0 });
    expect(await erase(person, 'voicemails/')).toMatchObject({ removed: 1 });
    await voicemails.acrossCompanies.findOne({ recording: name });
  });
  const ofVoicemails = plans.filter(({ index }) => index === 'person' || index === 'recording');
  expect(ofVoicemails.map(({ index }) => index)).toEqual(['person', 'person', 'recording']);
  expect(await voicemails.of(companyId).get(voicemailId)).toBeUndefined();
});

it('a person to whom calls of others were transferred is exported and erased by an index, and the calls stay', async () => {
  const entry = { at: at(1), type: 'transfer', what: 'completed', cause: 'leg_answered', detail: OTHER } as const;
  const outside = { outsideNumbers: [OTHER], timeline: [entry] };
  const [first, , open] = [
    await aCall(1, outside),
    await aCall(2),
    await aCall(3, { ...outside, isOpen: true, legIds: [`outside ${companyId}`] }),
  ];
  const person = { companyId, phoneNumber: OTHER, before: at(9) };
  const views = { show: async () => [] } as unknown as CallViews;
  const texts = { textOf: () => null } as unknown as VoicemailTexts;
  const files = new Map<string, string>();
  for await (const file of exportPerson({ calls, voicemails, blobs, views, voicemailTexts: texts })(person))
    files.set(file.name, await text(file.content));
  const [exported, ...more] = JSON.parse(files.get('forwarded_calls.json') ?? '[]') as object[];
  expect(exported).toMatchObject({ call_id: first, phone_number: OTHER, events: [{ what: 'completed' }] });
  expect(more).toHaveLength(1);
  expect(JSON.stringify(exported)).not.toContain(PERSON);

  const erase = erasePerson({ db, removal: idleRelay().removal, calls, voicemails, blobs, transcripts, search });
  const plans = await queryPlans(client, db, async () => {
    expect(await erase(person, 'outside_numbers/')).toMatchObject({ removed: 1, isWaiting: false });
    expect(await erase(person, 'outside_numbers/')).toMatchObject({ removed: 0, isWaiting: true });
  });
  expect(plans.filter(({ index }) => index === 'outside')).toHaveLength(2);
  expect(await calls.of(companyId).get(first)).toMatchObject({ from: PERSON, timeline: [{ detail: 'erased' }] });
  expect(JSON.stringify(await calls.of(companyId).get(open))).toContain(OTHER);
});

it('retention keeps a voicemail of a call that is gone, and removes it in its own time without saying whose it was', async () => {
  const { voicemailId } = await anOutlivingVoicemail();
  expect((await remove({ voicemails: at(9) })).removed).toBe(1);
  expect(await voicemails.of(companyId).get(voicemailId)).toBeUndefined();
  const pending = await db.collection('voicemails').find({ companyId }, { raw: true }).toArray();
  expect(Buffer.concat(pending as unknown as Buffer[]).includes(PERSON)).toBe(false);
});

it('retention finds what is too old by an index, however much is kept', async () => {
  await Promise.all(Array.from({ length: 30 }, (_, index) => aCall(index + 1)));
  const oldest = await queryPlans(client, db, () => calls.oldest(companyId, 5, { until: at(9) }));
  expect(oldest).toMatchObject([{ index: 'list', isUnindexed: false }]);
  expect(oldest[0]?.docsExamined).toBeLessThanOrEqual(5);
  const first = { startedAt: at(3), id: `cal_${companyId}_3` };
  const next = await queryPlans(client, db, () => calls.oldest(companyId, 5, { until: at(90), after: first }));
  expect(next[0]).toMatchObject({ index: 'list', isUnindexed: false });
  expect(next[0]?.docsExamined).toBeLessThanOrEqual(7);
  const old = { createdAt: { $lte: at(9) } };
  const [plan] = await queryPlans(client, db, () =>
    Array.fromAsync(voicemails.of(companyId).find(old, { createdAt: 1, id: 1 }, 5)),
  );
  expect(plan).toMatchObject({ index: 'newest', isUnindexed: false });
}, 60_000);
