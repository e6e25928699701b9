import { randomBytes } from 'node:crypto';
import { afterAll, expect, it } from '@jest/globals';
import { encryptor } from '@parley/secrets';
import { testMongo } from '@parley/testkit';
import { openTranscripts } from './transcript-store.ts';

const mongo = testMongo();
const db = mongo.database();
afterAll(() => mongo.close());

const segment = { speaker: '+4520304050', text: 'My card was stolen.', employeeId: null, startMs: 0, endMs: 900 };
const transcript = (id: string) => ({
  id,
  companyId: 'com_1',
  segments: [segment],
  text: `+4520304050: ${segment.text}`,
  summary: 'A stolen card.',
});

it('a transcript is not readable in the database, and is read back', async () => {
  const transcripts = await openTranscripts(db, encryptor(randomBytes(32).toString('base64')));
  await transcripts.save(transcript('cal_1'));
  expect(JSON.stringify(await db.collection('transcripts').find().toArray())).not.toMatch(/stolen|card/);
  expect(await transcripts.get('com_1', 'cal_1')).toEqual(transcript('cal_1'));
  expect(await transcripts.get('com_2', 'cal_1')).toBeUndefined();
});
