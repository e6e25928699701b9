import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { idleRelay } from '@parley/aggregates/idle-relay';
import { systemClock } from '@parley/clock';
import { migrate } from '@parley/mongo';
import { encryptor } from '@parley/secrets';
import { insertEntities, testMongo } from '@parley/testkit';
import { searchWordKeys } from '@parley/text';
import { type Db, GridFSBucket } from 'mongodb';
import { ada, inbound, inConversation, transfer } from '../test/test-call.ts';
import { openTestPresences } from '../test/open-test-presences.ts';
import { openCalls } from './calls/store/call-store.ts';
import { migrations } from './migrations.ts';
import { openBlobs } from './recordings/blob-store.ts';
import { openSoftphoneSessions } from './softphone-sessions/softphone-session-store.ts';
import { openSwitchStore } from './switch/reader/switch-store.ts';
import { openTranscripts } from './transcripts/transcript-store.ts';
import { openVoicemails } from './voicemails/voicemail-store.ts';
import { voicemailTexts } from './voicemails/voicemail-proto.ts';
import { drainingSwitches } from './switch/connection/draining-switches.ts';

const mongo = testMongo();
const db = mongo.database();
afterAll(() => mongo.close());

const key = randomBytes(32).toString('base64');
const texts = encryptor([key]);
const hashOf = (word: string) => searchWordKeys([key]).stored(call.companyId, word);
const options = { db, relay: idleRelay(), clock: systemClock };
const reachedAt = new Date('2026-03-01T10:00:00Z');
const { call } = inConversation();
const waiting = inbound(transfer(ada)).call;
const command = { id: 'cmd_1', payload: {}, createdAt: new Date(), attempts: 0, startedAt: null, lease: null };

async function store(name: string, content: string): Promise<void> {
  const upload = new GridFSBucket(db, { bucketName: 'recordings' }).openUploadStream(name);
  await new Promise((resolve) => upload.end(content, () => resolve(undefined)));
}

/** Documents as version 0.2 stored them. */
async function insertEarlier(into: Db): Promise<void> {
  const { conversationSpans: talks, ...talked } = call;
  const recordingPause = { isPaused: true, isConfirmed: true };
  await insertEntities(into, 'calls', [
    { ...talked, talks, recordingPause, summary: 'A bicycle.' } as never,
    { ...call, id: 'cal_blind', legIds: ['blind'], phase: { kind: 'passing_on' }, summary: null } as never,
  ]);
  const { declinedUntil: _, ...phase } = waiting.phase as { declinedUntil: unknown };
  await insertEntities(into, 'calls', [
    { ...waiting, id: 'cal_waiting', legIds: ['waiting'], phase: { ...phase, passedOver: [] } } as never,
  ]);
  const _commands = ['seek_employees', 'control', 'find_places'].map((kind) => ({ ...command, kind }));
  await into.collection('calls').updateOne({ _id: 'cal_waiting' as never }, { $set: { _commands } });
  const content = { companyId: call.companyId, segments: [], text: 'Hello' };
  await insertEntities(into, 'transcripts', [{ id: call.id, ...content } as never]);
  await insertEntities(into, 'voicemails', [
    { id: 'vml_1', companyId: 'com_1', transcription: 'Call me back.' } as never,
    { id: 'vml_2', companyId: 'com_1', transcription: null } as never,
  ]);
  await insertEntities(into, 'transcriptions', [{ id: 'rec_1', companyId: 'com_1' } as never]);
  const transcribe = [{ ...command, kind: 'transcribe' }];
  await into.collection('transcriptions').updateOne({}, { $set: { _commands: transcribe } });
  await insertEntities(into, 'employee_presences', [
    { id: 'emp_1', companyId: 'com_1', employee: { name: 'Emma' }, leases: [] } as never,
  ]);
  const sessions = [{ id: 'sps_1', createdAt: new Date() }];
  await insertEntities(into, 'softphone_sessions', [{ id: 'emp_1', companyId: 'com_1', sessions } as never]);
  await insertEntities(into, 'call_search', [
    { id: call.id, companyId: call.companyId, words: ['bicycle', hashOf('invoice')] } as never,
    { id: 'cal_caller', companyId: call.companyId, words: ['late', 'gold'], callerWords: ['gold'] } as never,
  ]);
  await into.collection('switch_contacts').insertOne({ _id: 'gone' as never, companyId: '', reachedAt, _version: 1 });
  await store('cal_1-1', 'first');
  await store('cal_1-1', 'last');
}

describe('data of version 0.2', () => {
  beforeAll(async () => {
    await insertEarlier(db);
    await migrate(db, migrations([key]));
    // Nothing changes when a process that stopped in the middle runs it again.
    for (const migration of migrations([key])) await migration.run(db);
  });

  it('calls of version 0.2 have their conversation spans, their phase and the state of their recording', async () => {
    const calls = await openCalls(options);
    const talked = await calls.of(call.companyId).get(call.id);
    expect(talked).toMatchObject({ conversationSpans: call.conversationSpans, recordingPause: { isMasked: true } });
    expect(talked).not.toHaveProperty('summary');
    expect(await calls.of(call.companyId).get('cal_blind')).toMatchObject({ phase: { kind: 'blind_transfer' } });
    expect((await calls.of(waiting.companyId).get('cal_waiting'))?.phase).toEqual(waiting.phase);
  });

  it('commands of calls have their present names, and the others stay', async () => {
    const stored = await db.collection('calls').findOne({ _id: 'cal_waiting' as never });
    const kinds = (stored!['_commands'] as { kind: string }[]).map(({ kind }) => kind);
    expect(kinds).toEqual(['dispatch_employees', 'control', 'update_queue_positions']);
  });

  it('transcripts and the texts of voicemails are encrypted, and a transcript has the summary of its call', async () => {
    const transcripts = await openTranscripts(db, texts);
    expect(await transcripts.get(call.companyId, call.id)).toMatchObject({ text: 'Hello', summary: 'A bicycle.' });
    const voicemails = (await openVoicemails(options)).of('com_1');
    const spoken = async (id: string) => voicemailTexts(texts).textOf((await voicemails.get(id))!);
    expect([await spoken('vml_1'), await spoken('vml_2')]).toEqual(['Call me back.', null]);
    const stored = await Promise.all(
      ['transcripts', 'voicemails', 'calls'].map((name) => db.collection(name).find().toArray()),
    );
    expect(JSON.stringify(stored)).not.toMatch(/Hello|bicycle|Call me/);
  });

  it('the words of the search are hashed, each once, and those of the caller context are known', async () => {
    const stored = await db.collection('call_search').find().sort({ _id: 1 }).toArray();
    expect(stored).toMatchObject([
      { words: [hashOf('bicycle'), hashOf('invoice')], callerWords: [], callerVectors: [] },
      { words: [hashOf('late'), hashOf('gold')], callerWords: [hashOf('gold')], callerVectors: [] },
    ]);
  });

  it('transcriptions have a length', async () => {
    const stored = await db.collection('transcriptions').findOne({});
    expect(stored).toMatchObject({ durationMs: 0, _commands: [{ kind: 'transcribe', payload: { durationMs: 0 } }] });
  });

  it('presences and softphone sessions are complete', async () => {
    const { presences } = await openTestPresences(db);
    const { employee } = (await presences.of('com_1').get('emp_1'))!;
    expect(employee).toMatchObject({ callWaiting: false, emailConfirmationPending: false });
    const sessions = await (await openSoftphoneSessions(db)).of('com_1').get('emp_1');
    expect(sessions?.sessions).toMatchObject([{ madeWith: { credentialType: 'session' } }]);
  });

  it('a switch was reached when it was before both were one document', async () => {
    const identity = { own: 'one', livenessOf: () => 'unknown' as const };
    const draining = drainingSwitches([]);
    const open = () => openSwitchStore({ db, machineClock: systemClock, identity, leaseMs: 4000, draining });
    const { contacts, leases } = await open();
    expect(await contacts.oldest()).toEqual(reachedAt);
    expect(await leases.take('gone', false)).toMatchObject({ term: 1 });
    expect(await (await open()).contacts.get('gone')).toEqual({ id: 'gone', reachedAt });
  });

  it('the last one of a recording that was stored twice in version 0.2 is kept', async () => {
    const blobs = await openBlobs(db, 'recordings');
    expect(await (await blobs.read('cal_1-1'))?.toArray()).toEqual([Buffer.from('last')]);
    expect(await db.collection('recordings.files').countDocuments()).toBe(1);
  });
});
