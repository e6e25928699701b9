import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { systemClock } from '@parley/clock';
import { decided } from '@parley/errors';
import { encryptor } from '@parley/secrets';
import { testMongo } from '@parley/testkit';
import { idleRelay } from '@parley/aggregates/idle-relay';
import { openSessionItems, type SessionItems } from './item-store.ts';
import type { Session } from './session.ts';
import { emptyContent, type SessionContent, sessionSeals } from './session-content.ts';
import { sessionErasure, sessionExport, sessionRetention } from './session-data.ts';
import { openSessions, type Sessions } from './session-store.ts';

const mongo = testMongo();
afterAll(() => mongo.close());
const COMPANY = 'com_1';
const PERSON = '+4520304050';
const seals = sessionSeals(encryptor(randomBytes(32).toString('base64')));
const old = new Date('2030-01-01T12:00:00Z');
const later = new Date('2030-02-01T12:00:00Z');

let sessions: Sessions;
let items: SessionItems;
beforeAll(async () => {
  const db = mongo.database();
  sessions = await openSessions(db, idleRelay(), systemClock);
  items = await openSessionItems(db, seals);
});

const message = {
  text: 'The piano is broken.',
  callerName: 'Jane',
  callbackNumber: PERSON,
  for: null,
  callbackRequested: false,
  wanted: null,
  takenAt: old.toISOString(),
};

/** A session with a message; `isComplete`: it is over. */
async function aSession(id: string, startedAt: Date, isComplete = true): Promise<string> {
  const content: SessionContent = {
    ...emptyContent,
    callerName: 'Jane',
    message,
    summary: 'Jane called about a piano.',
  };
  const session = {
    id,
    companyId: COMPANY,
    callId: `cal_${id}`,
    assistantId: 'ast_1',
    assistantName: 'Robin',
    from: PERSON,
    outcome: 'message_taken',
    state: isComplete ? 'ended' : 'talking',
    startedAt,
    endedAt: isComplete ? startedAt : null,
    isComplete,
    hasContent: true,
    usage: { turns: 1, inputTokens: 0, outputTokens: 0, costMicros: null },
    reservation: { id: `res_${id}` },
    sealed: seals.sealContent(id, content),
  } as unknown as Session;
  await sessions.of(COMPANY).create(decided(session));
  const times = { startedAt, endedAt: startedAt };
  const turn = {
    speaker: 'caller',
    spoken: null,
    interrupted: false,
    engine: null,
    sources: [],
    responseMs: null,
  } as const;
  const said = { type: 'turn', text: 'My piano is broken', ...turn, ...times } as const;
  const done = { action: 'take_message', arguments: { text: message.text }, target: null, result: 'taken' } as const;
  await items.save(COMPANY, id, 1, { sequence: 1, item: said });
  await items.save(COMPANY, id, 1, { sequence: 2, item: { type: 'action', ...done, ...times } });
  await items.save(COMPANY, id, 1, { sequence: 3, item: { type: 'key', key: '20304051', at: startedAt } });
  return id;
}

const deps = () => ({ sessions, items, seals });
const exported = async () => {
  const files = sessionExport(deps())({ companyId: COMPANY, phoneNumber: PERSON, before: later });
  const texts: string[] = [];
  for await (const { content } of files) for await (const part of content) texts.push(Buffer.from(part).toString());
  return JSON.parse(texts.join('')) as { id: string; message: unknown; items: unknown[] }[];
};

it('after the retention of transcripts nothing that a caller said or keyed in is left of a session, and what was done is', async () => {
  await aSession('ses_old', old);
  await aSession('ses_new', later);
  const [, texts] = sessionRetention(deps());
  const cutoffs = { transcripts: new Date(old.getTime() + 1000) };
  const run = () => texts!.erase({ companyId: COMPANY, cutoffs, marks: {} } as never, '');
  expect(await run()).toMatchObject({ removed: 1 });
  expect(await run()).toMatchObject({ removed: 0 });
  const [first, second] = await exported();
  expect(JSON.stringify(first)).not.toMatch(/piano|Jane|2030405/);
  expect(first).toMatchObject({
    message: null,
    items: [
      { type: 'turn', text: null },
      { type: 'action', action: 'take_message', arguments: {}, result: 'taken' },
      { type: 'key', key: '•' },
    ],
  });
  expect(second).toMatchObject({
    message: { text: 'The piano is broken.' },
    items: [{ text: 'My piano is broken' }, {}, {}],
  });
});

it('the erasure of a person removes sessions with their items, and waits for one that goes on', async () => {
  await aSession('ses_open', old, false);
  const erasure = sessionErasure(deps());
  const person = { companyId: COMPANY, phoneNumber: PERSON, before: later };
  const first = await erasure.erase(person as never, '');
  expect(first).toMatchObject({ removed: 2, next: '' });
  expect(await erasure.erase(person as never, '')).toMatchObject({ removed: 0, isWaiting: true });
  expect((await exported()).map(({ id }) => id)).toEqual(['ses_open']);
  expect(await items.list(COMPANY, 'ses_old', 0, 10)).toEqual([]);
});
