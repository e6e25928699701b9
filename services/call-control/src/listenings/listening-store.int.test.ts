import { afterAll, expect, it } from '@jest/globals';
import { systemClock } from '@parley/clock';
import { idleRelay } from '@parley/aggregates/idle-relay';
import { testMongo } from '@parley/testkit';
import type { Calls } from '../calls/store/call-store.ts';
import type { Voicemails } from '../voicemails/voicemail-store.ts';
import { openListenings } from './listening-store.ts';

const mongo = testMongo();
const db = mongo.database();
afterAll(() => mongo.close());

const callId = `cal_${'0'.repeat(32)}`;
const call = {
  id: callId,
  companyId: 'com_1',
  voicemailId: 'vml_1',
  number: { name: 'Front desk' },
  recordings: [
    { name: `${callId}-1`, kind: 'conversation' },
    { name: `${callId}-2`, kind: 'voicemail' },
  ],
};
const calls = {
  acrossCompanies: { get: async (id: string) => (id === callId ? call : undefined) },
} as unknown as Calls;
const goneId = `cal_${'1'.repeat(32)}`;
const kept = { id: 'vml_2', companyId: 'com_1', callId: goneId, number: { name: 'Front desk' } };
const voicemails = {
  acrossCompanies: {
    findOne: async ({ recording }: { recording: string }) => (recording === `${goneId}-1` ? kept : undefined),
  },
} as unknown as Voicemails;
const address = { name: `${callId}-1`, expires: 2_000_000_000, signature: 'first', givenTo: 'api_key.key_1' };

async function entries() {
  const stored = await db.collection('listenings').find().toArray();
  return stored.flatMap(({ _outbox }) => _outbox as { audit: string }[]).map(({ audit }) => JSON.parse(audit));
}

it('one address is one listening, also when several parts are requested at once', async () => {
  const replicas = await Promise.all(
    [1, 2].map(() => openListenings({ db, relay: idleRelay(), clock: systemClock, calls, voicemails })),
  );
  await Promise.all([...replicas, ...replicas].map((listenings) => listenings.record(address)));
  const [first] = replicas;
  await first!.record(address);
  const entry = { type: 'recording.played', object: { type: 'call', id: callId, name: 'Front desk' }, changes: {} };
  expect(await entries()).toEqual([entry]);

  await first!.record({ ...address, signature: 'second' });
  expect(await entries()).toEqual([entry, entry]);

  await first!.record({ ...address, name: `${callId}-2` });
  const voicemail = { type: 'voicemail', id: 'vml_1', name: 'Front desk' };
  expect(await entries()).toContainEqual({ type: 'voicemail.played', object: voicemail, changes: {} });
  await first!.record({ ...address, name: `${goneId}-1` });
  const outlived = { type: 'voicemail', id: 'vml_2', name: 'Front desk' };
  expect(await entries()).toContainEqual({ type: 'voicemail.played', object: outlived, changes: {} });
  for (const listenings of replicas) await listenings.stop();
});
