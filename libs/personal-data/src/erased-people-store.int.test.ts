import { randomBytes } from 'node:crypto';
import { systemClock, trackBackgroundWork } from '@parley/clock';
import { startTelemetry } from '@parley/telemetry';
import { testMongo, waitUntil } from '@parley/testkit';
import { afterAll, afterEach, expect, it } from '@jest/globals';
import type { Db } from 'mongodb';
import { type ErasedPeople, openErasedPeople } from './erased-people-store.ts';

const mongo = testMongo();
afterAll(() => mongo.close());

const PERSON = '+4520304050';
const before = new Date('2026-03-02T10:00:00Z');
const earlier = new Date('2026-03-02T09:59:59Z');
const later = new Date('2026-03-02T10:00:01Z');
const key = () => randomBytes(32).toString('base64');
const { log } = startTelemetry({ service: 'test', version: '0', logLevel: 'silent' });
const opened: ErasedPeople[] = [];
afterEach(async () => {
  for (const people of opened.splice(0)) await people.stop();
});

async function open(db: Db, keys: readonly string[], cachedMs = 0): Promise<ErasedPeople> {
  const backgroundWork = trackBackgroundWork();
  const people = await openErasedPeople({ db, keys, clock: systemClock, backgroundWork, log, cachedMs });
  opened.push(people);
  return people;
}

it('the store of erased people recognises data from before an erasure, of that company and person alone, without storing the number', async () => {
  const db = mongo.database('erased');
  const people = await open(db, [key()]);
  expect(await people.wasErased('com_1', [PERSON], earlier)).toBe(false);
  await people.step.erase({ companyId: 'com_1', phoneNumber: PERSON, before }, '');
  expect(await people.wasErased('com_1', ['+4570112233', PERSON], earlier)).toBe(true);
  expect(await people.wasErased('com_1', [PERSON], later)).toBe(false);
  expect(await people.wasErased('com_2', [PERSON], earlier)).toBe(false);
  expect(await people.wasErased('com_1', [`${PERSON}1`], earlier)).toBe(false);
  expect(await people.wasErased('com_1', [], earlier)).toBe(false);
  expect(JSON.stringify(await db.collection('erased_people').find().toArray())).not.toContain('20304050');
});

it('the store of erased people keeps the later of two erasures, and knows them after a change of keys', async () => {
  const db = mongo.database('erased');
  const [old, current] = [key(), key()];
  const first = await open(db, [old]);
  await first.step.erase({ companyId: 'com_1', phoneNumber: PERSON, before }, '');
  await first.step.erase({ companyId: 'com_1', phoneNumber: PERSON, before: earlier }, '');
  const second = await open(db, [current, old]);
  expect(await second.wasErased('com_1', [PERSON], before)).toBe(true);
});

it('the store of erased people with cached answers knows a person in every process once the erasure continues', async () => {
  const db = mongo.database('erased');
  const keys = [key()];
  const [here, elsewhere] = [await open(db, keys, 2000), await open(db, keys, 2000)];
  expect(await elsewhere.wasErased('com_1', [PERSON], earlier)).toBe(false);
  const erasing = here.step.erase({ companyId: 'com_1', phoneNumber: PERSON, before }, '');
  await waitUntil(async () => (await db.collection('erased_people').countDocuments()) === 1, { what: 'the mark' });
  expect(await elsewhere.wasErased('com_1', [PERSON], earlier)).toBe(false);
  await erasing;
  for (const people of [here, elsewhere]) {
    expect(await people.wasErased('com_1', [PERSON], earlier)).toBe(true);
    expect(await people.wasErased('com_1', [PERSON], later)).toBe(false);
    expect(await people.wasErased('com_1', ['+4570112233'], earlier)).toBe(false);
  }
});

it('the store of erased people with cached answers also recognises people of a company with more than are cached', async () => {
  const db = mongo.database('erased');
  const people = await open(db, [key()], 1);
  const numbers = Array.from({ length: 120 }, (_, n) => `+452030${1000 + n}`);
  await Promise.all(numbers.map((phoneNumber) => people.step.erase({ companyId: 'com_1', phoneNumber, before }, '')));
  for (const phoneNumber of numbers) expect(await people.wasErased('com_1', [phoneNumber], earlier)).toBe(true);
  expect(await people.wasErased('com_1', [PERSON], earlier)).toBe(false);
});
