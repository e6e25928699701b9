import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { idleRelay } from '@parley/aggregates/idle-relay';
import { systemClock } from '@parley/clock';
import { queryPlans, testMongo } from '@parley/testkit';
import { insertEntities } from '@parley/testkit/stored-documents';
import { MongoClient } from 'mongodb';
import type { CallPosition } from '../calls/store/call-store.ts';
import { newestVoicemails, openVoicemails, type Voicemails } from './voicemail-store.ts';

const VOICEMAILS = 300;
const PAGE = 20;
const mongo = testMongo();
const client = new MongoClient(mongo.url, { monitorCommands: true });
const db = client.db(mongo.database().databaseName);
let voicemails: Voicemails;

beforeAll(async () => {
  voicemails = await openVoicemails({ db, relay: idleRelay(), clock: systemClock });
  const stored = Array.from({ length: VOICEMAILS }, (_, index) => ({
    id: `vm_${String(index).padStart(3, '0')}`,
    companyId: `com_${index % 2}`,
    from: '+4520304050',
    recording: `cal_${index}-1`,
    // Several are left at the same moment.
    createdAt: new Date(Date.UTC(2026, 2, 1) + Math.floor(index / 8) * 1000),
    isListened: index % 3 > 0,
  }));
  await insertEntities(db, 'voicemails', stored);
});
afterAll(async () => {
  await client.close();
  await mongo.close();
});

it('voicemails are read page by page, each once, newest first', async () => {
  const ids: string[] = [];
  let after: CallPosition | undefined;
  for (;;) {
    const page = await newestVoicemails(voicemails, 'com_1', PAGE, after);
    ids.push(...page.map(({ id }) => id));
    const last = page.at(-1);
    if (!last) break;
    after = { startedAt: last.createdAt, id: last.id };
  }
  const own = Array.from({ length: VOICEMAILS / 2 }, (_, index) => `vm_${String(index * 2 + 1).padStart(3, '0')}`);
  expect(ids).toEqual(own.toReversed());
});

it('a page of voicemails reads about as many as it has, wherever it is', async () => {
  const oldest = { startedAt: new Date(Date.UTC(2026, 2, 1) + 3000), id: 'vm_025' };
  for (const after of [undefined, oldest]) {
    const [plan] = await queryPlans(client, db, () => newestVoicemails(voicemails, 'com_1', PAGE, after));
    expect(plan).toMatchObject({ index: 'newest', isUnindexed: false });
    // Those of the moment at which the page before ended are looked at again.
    expect(plan!.docsExamined).toBeLessThanOrEqual(PAGE + 4);
  }
});
