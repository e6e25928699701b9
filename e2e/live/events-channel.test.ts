import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import WebSocket from 'ws';
import { beginRecording, type LoggedEvent, readEvents, whenRecorded } from '../events/read-events.ts';
import { newColleague } from '../roles/staff.ts';
import { type Company, createTestCompany, operate, sharedStack, succeeded } from '../support/api.ts';

const stack = sharedStack();
const ENDED_WITHIN_MS = 15_000;
const open: WebSocket[] = [];
let company: Company;
beforeEach(async () => {
  company = await createTestCompany();
});
afterEach(() => open.splice(0).forEach((socket) => socket.terminate()));

/** A connection that subscribes to the events of a company and keeps what it is sent. */
function follow(wanted: object = {}, headers: Record<string, string> = { 'X-Api-Key': company.apiKey }) {
  const identifier = JSON.stringify({ channel: 'EventsChannel', ...wanted });
  const socket = new WebSocket(`${stack.base_url.replace('http', 'ws')}/cable`, ['actioncable-v1-json'], { headers });
  open.push(socket);
  const received: any[] = [];
  let closed = false;
  socket.on('message', (data) => {
    const message = JSON.parse(String(data));
    if (message.type === 'welcome') socket.send(JSON.stringify({ command: 'subscribe', identifier }));
    else if (message.type !== 'ping') received.push(message);
  });
  socket.on('close', () => (closed = true));
  socket.on('error', () => undefined);
  const messages = (type: string) => received.flatMap(({ message }) => (message?.type === type ? message : []));
  return {
    socket,
    identifier,
    received,
    closed: () => closed,
    cursors: () => messages('event').map(({ cursor }) => cursor as string),
    events: () => messages('event').map(({ event }) => event as LoggedEvent),
    caughtUp: () => waitUntil(async () => messages('caught_up')[0]?.cursor as string | undefined, { what: 'the past' }),
    has: (howMany: number) => waitUntil(async () => messages('event').length >= howMany, { what: `${howMany} events` }),
    rejected: () =>
      waitUntil(async () => received.at(-1)?.type === 'reject_subscription', {
        what: 'the rejection',
        timeoutMs: ENDED_WITHIN_MS,
      }),
  };
}

let phones = 0;
const createContact = async (of = company) =>
  (
    await succeeded(
      of.call('POST', '/contacts', { phone: `+4521${String((phones += 1)).padStart(6, '0')}`, name: 'Ane' }),
    )
  ).body;

describe('the events channel', () => {
  it('the events channel begins now without a cursor, and has what the log has', async () => {
    await beginRecording(company);
    await createContact();
    await whenRecorded(company, { types: 'contact.created' }, 1);
    const client = follow();
    const now = await client.caughtUp();
    expect(client.received[0]).toEqual({ type: 'confirm_subscription', identifier: client.identifier });
    await createContact();
    await createContact();
    await client.has(2);
    expect(client.events()).toEqual(await readEvents(company, { after: now }));
    const again = await readEvents(company, { after: client.cursors()[0]! });
    expect(again).toEqual(client.events().slice(1));
  });

  it('the events channel begins the recording of a company that has not used it', async () => {
    const client = follow();
    await client.caughtUp();
    await createContact();
    await client.has(1);
  });

  it('the events channel goes on at a cursor after the connection was lost, and misses and repeats nothing', async () => {
    const start = await beginRecording(company);
    const first = follow({ after: start, types: ['contact.created'] });
    await createContact();
    await createContact();
    await first.has(2);
    first.socket.terminate();
    for (let n = 0; n < 5; n++) await createContact();
    const second = follow({ after: first.cursors().at(-1), types: ['contact.created'] });
    await createContact();
    await second.has(6);
    const all = await readEvents(company, { after: start, types: 'contact.created' });
    expect([...first.events(), ...second.events()]).toEqual(all);
    expect(all).toHaveLength(8);
  });

  it('the events channel of one company has no events of another, and refuses its cursor', async () => {
    const other = await createTestCompany();
    const cursor = await beginRecording(other);
    const own = follow();
    await own.caughtUp();
    await createContact(other);
    await createContact();
    await own.has(1);
    expect(own.events()).toEqual(await readEvents(company, { types: 'contact.created' }));
    const foreign = follow({ after: cursor });
    await foreign.rejected();
    expect(foreign.received).toEqual([{ type: 'reject_subscription', identifier: foreign.identifier }]);
    await follow({ types: ['call.unknown'] }).rejected();
  });

  it('the events channel is not for members, and ends with the role and with the credential', async () => {
    const member = await newColleague(company, 'member');
    await follow({}, member.byKey).rejected();
    const admin = await newColleague(company, 'admin');
    const [demoted, revoked] = [follow({}, admin.byKey), follow({}, admin.byToken)];
    await Promise.all([demoted.caughtUp(), revoked.caughtUp()]);
    await succeeded(company.call('PATCH', `/employees/${admin.employeeId}`, { role: 'member' }));
    await Promise.all([demoted.rejected(), revoked.rejected()]);
    const owner = follow();
    await owner.caughtUp();
    await succeeded(operate(stack, 'PATCH', `/companies/${company.id}`, { suspended: true }));
    await waitUntil(async () => owner.closed(), { what: 'the end', timeoutMs: ENDED_WITHIN_MS });
    expect(owner.received.at(-1)).toEqual({ type: 'disconnect', reason: 'unauthorized', reconnect: false });
  });
});
