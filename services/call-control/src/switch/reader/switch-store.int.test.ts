import { afterAll, beforeEach, expect, it } from '@jest/globals';
import { testMongo } from '@parley/testkit';
import type { Liveness } from './process-identity-client.ts';
import { openSwitchStore } from './switch-store.ts';
import { drainingSwitches } from '../connection/draining-switches.ts';

const mongo = testMongo();
const db = mongo.database();
afterAll(() => mongo.close());

const LEASE_MS = 4000;
let now: Date;
let liveness: Record<string, Liveness>;
beforeEach(async () => {
  await db.collection('switch_leases').deleteMany({});
  now = new Date('2026-03-02T10:00:00Z');
  liveness = {};
});
const pass = (ms: number) => (now = new Date(now.getTime() + ms));
const openStore = (own: string, draining = drainingSwitches([])) =>
  openSwitchStore({
    db,
    machineClock: { now: () => now },
    identity: { own, livenessOf: (name) => liveness[name] ?? 'unknown' },
    leaseMs: LEASE_MS,
    draining,
  });
const open = async (own: string) => {
  const { leases } = await openStore(own);
  return { ...leases, take: (name: string) => leases.take(name, false) };
};

it('a switch is renewed by its holder and taken by another one after it has expired', async () => {
  const [one, two] = [await open('one'), await open('two')];
  expect(await one.take('switch')).toMatchObject({ term: 1 });
  pass(LEASE_MS - 1);
  expect(await two.take('switch')).toBeUndefined();
  expect(await one.take('switch')).toMatchObject({ term: 1 });
  pass(LEASE_MS);
  expect(await two.take('switch')).toMatchObject({ term: 2 });
});

it('a switch is taken at once from a process that has ended', async () => {
  const [one, two] = [await open('one'), await open('two')];
  await one.take('switch');
  liveness = { one: 'dead' };
  expect(await two.take('switch')).toMatchObject({ term: 2 });
});

it('a switch stays with a process that runs and is late, but not for ever', async () => {
  const [one, two] = [await open('one'), await open('two')];
  await one.take('switch');
  liveness = { one: 'alive' };
  pass(LEASE_MS + 2000);
  expect(await two.take('switch')).toBeUndefined();
  expect(await one.take('switch')).toMatchObject({ term: 1 });
  pass(LEASE_MS + 3000);
  expect(await two.take('switch')).toMatchObject({ term: 2 });
});

it('a switch is free at once when its holder has released it', async () => {
  const [one, two] = [await open('one'), await open('two')];
  await one.take('switch');
  liveness = { one: 'alive' };
  await one.release('switch');
  expect(await two.take('switch')).toMatchObject({ term: 2 });
});

it('a switch is noted as reached with the lease of an owner that reaches it, and keeps that without one', async () => {
  const [one, two] = [await openStore('one'), await openStore('two')];
  await one.leases.take('switch', false);
  expect(await two.contacts.get('switch')).toBeUndefined();
  expect(await two.contacts.oldest()).toBeUndefined();
  const reachedAt = pass(1000);
  await one.leases.take('switch', true);
  expect(one.contacts.notedAt('switch')).toEqual(reachedAt);
  pass(1000);
  await two.leases.take('switch', true);
  await one.leases.take('switch', false);
  await one.leases.release('switch');
  expect(await two.contacts.get('switch')).toEqual({ id: 'switch', reachedAt });
  expect(await two.contacts.oldest()).toEqual(reachedAt);
  expect(two.contacts.notedAt('switch')).toBeUndefined();
  await two.contacts.reached('switch');
  expect(await one.contacts.oldest()).toEqual(now);
});

it('an order to drain a switch reaches the process that reads it and those that do not, and survives leases', async () => {
  const [ofOne, ofTwo, ofThree] = [drainingSwitches([]), drainingSwitches([]), drainingSwitches([])];
  const [one, two] = [await openStore('one', ofOne), await openStore('two', ofTwo)];
  await one.leases.take('switch', true);
  await two.drains.set('switch', true);
  expect(ofTwo.has('switch')).toBe(true);
  await one.leases.take('switch', true);
  expect(ofOne.has('switch')).toBe(true);
  await one.leases.release('switch');
  const three = await openStore('three', ofThree);
  await three.leases.take('switch', true);
  expect(ofThree.has('switch')).toBe(true);
  await one.drains.set('switch', false);
  await two.leases.take('switch', true);
  await three.leases.take('switch', true);
  expect([ofOne, ofTwo, ofThree].map((draining) => draining.has('switch'))).toEqual([false, false, false]);
});

it('a switch that was never reached can be drained', async () => {
  const draining = drainingSwitches([]);
  const { drains, contacts } = await openStore('one', draining);
  await drains.set('new', true);
  expect(draining.has('new')).toBe(true);
  expect(await contacts.oldest()).toBeUndefined();
});

it('a switch that is drained by its settings stays so', async () => {
  const draining = drainingSwitches([{ name: 'switch', draining: true }]);
  const { drains } = await openStore('one', draining);
  await drains.set('switch', false);
  expect(draining.has('switch')).toBe(true);
});
