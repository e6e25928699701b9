import { testMongo } from '@parley/testkit';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CommandStartedEvent, type Db, MongoClient } from 'mongodb';
import { join, leave } from './assignment.ts';
import { type FollowerState, openFollowerState } from './follower-state-store.ts';

const mongo = testMongo();
const client = new MongoClient(mongo.url, { monitorCommands: true });
afterAll(async () => {
  await client.close();
  await mongo.close();
});

let db: Db;
let calls: FollowerState;
let messages: FollowerState;
const renewal = (state: FollowerState, member: string) =>
  state.update((current) => join(current, member, new Date(), 30_000));

beforeEach(async () => {
  db = client.db(mongo.database('followers').databaseName);
  calls = openFollowerState(db, 'calls');
  messages = openFollowerState(db, 'messages');
  await Promise.all([renewal(calls, 'one'), renewal(messages, 'one')]);
});

const versions = async () =>
  Object.fromEntries(
    (await db.collection<{ _id: string; version: number }>('follower_state').find().toArray()).map((stored) => [
      stored._id,
      stored.version,
    ]),
  );

/** The names of the commands that `work` sends. */
async function sent(work: () => Promise<unknown>): Promise<string[]> {
  const names: string[] = [];
  const listen = ({ commandName }: CommandStartedEvent) => void names.push(commandName);
  client.on('commandStarted', listen);
  await work();
  client.off('commandStarted', listen);
  return names;
}

describe('renewals of the followers of a database at the same time', () => {
  it('renewals of the followers of a database at the same time are one command, also the next time', async () => {
    const renewAll = () => Promise.all([renewal(calls, 'one'), renewal(messages, 'one')]);
    expect(await sent(renewAll)).toEqual(['update']);
    expect(await sent(renewAll)).toEqual(['update']);
    expect(await versions()).toEqual({ calls: 3, messages: 3 });
  });

  it('renewals of the followers of a database at the same time are decided again on what is stored when another replica has changed one of them', async () => {
    const elsewhere = openFollowerState(db, 'calls');
    await renewal(elsewhere, 'two');
    const [ofCalls, ofMessages] = await Promise.all([renewal(calls, 'one'), renewal(messages, 'one')]);
    expect(ofCalls.members.map(({ id }) => id)).toEqual(['one', 'two']);
    expect(ofMessages.members.map(({ id }) => id)).toEqual(['one']);
    const stored = await db.collection<{ _id: string; members: unknown }>('follower_state').findOne({ _id: 'calls' });
    expect(stored?.members).toEqual(ofCalls.members);
    expect((await versions())['calls']).toBe(3);
  });

  it('renewals of the followers of a database at the same time do not undo a change that this process makes meanwhile', async () => {
    const [, changed] = await Promise.all([renewal(calls, 'one'), renewal(calls, 'two')]);
    expect(changed.members.map(({ id }) => id)).toEqual(['one', 'two']);
    const read = openFollowerState(db, 'calls');
    expect((await renewal(read, 'one')).members.map(({ id }) => id)).toEqual(['one', 'two']);
  });
});

describe('changes of an assignment at the same time', () => {
  it('changes of an assignment at the same time in one process are all made, each on the result of the one before', async () => {
    db = mongo.database();
    const state = openFollowerState(db, 'webhooks-fanout');
    const now = new Date();
    const members = ['flw_1', 'flw_2', 'flw_3', 'flw_4'];
    await Promise.all(members.map((id) => state.update((current) => join(current, id, now, 30_000))));
    await Promise.all([
      state.update((current) => leave(current, 'flw_1')),
      state.update((current) => join(current, 'flw_2', now, 60_000)),
    ]);
    const stored = await db.collection<{ _id: string; version: number }>('follower_state').findOne();
    expect(stored).toMatchObject({ _id: 'webhooks-fanout', version: 6 });
    expect((stored as unknown as { members: { id: string }[] }).members.map(({ id }) => id).toSorted()).toEqual([
      'flw_2',
      'flw_3',
      'flw_4',
    ]);
  });

  it('changes of an assignment at the same time as one of another follower that fails are made once', async () => {
    db = mongo.database();
    const [first, second] = [openFollowerState(db, 'first'), openFollowerState(db, 'second')];
    const now = new Date();
    await Promise.all([first, second].map((state) => state.update((current) => join(current, 'flw_1', now, 1))));
    // Another replica has changed one of the two.
    await openFollowerState(db, 'second').update((current) => join(current, 'flw_2', now, 1));
    await Promise.all([first, second].map((state) => state.update((current) => join(current, 'flw_1', now, 30_000))));
    expect(await versions()).toEqual({ first: 2, second: 3 });
  });
});
