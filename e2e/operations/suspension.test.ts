import { isDeepStrictEqual } from 'node:util';
import { beforeAll, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { type Employee, LIMIT_MS, openPhoneCompany, type PhoneCompany } from '../calls/phone-company.ts';
import { createTestCompany, operate, succeeded } from '../support/api.ts';

let fixture: PhoneCompany;
let ada: Employee;
let number: string;
const PERSON = '+4520551122';
const until = (what: string, holds: () => Promise<boolean>) => waitUntil(holds, { what, timeoutMs: LIMIT_MS });

beforeAll(async () => {
  fixture = await openPhoneCompany();
  const { company, stack } = fixture;
  await succeeded(operate(stack, 'PATCH', `/companies/${company.id}`, { messaging_enabled: true }));
  ada = await fixture.hire('Ada', true);
  number = await fixture.number({ type: 'TransferConfig', employee_ids: [ada.id] });
}, 3 * LIMIT_MS);

const suspend = (suspended: boolean) =>
  succeeded(operate(fixture.stack, 'PATCH', `/companies/${fixture.company.id}`, { suspended }));
const statusOf = async () => (await fixture.company.call('GET', '/company')).status;

/** The address of a recording in an event, which was given to no credential. */
async function recordingInWebhook(): Promise<string> {
  const hook = `/hooks/suspension-${process.pid}`;
  const url = `${fixture.stack.sandbox_url}${hook}`;
  await succeeded(fixture.company.call('POST', '/webhooks', { name: 'Notes', url, events: ['call.note_changed'] }));
  const call = await fixture.talk(number, ada);
  await fixture.waitUntilHeard(call.legId, 'party');
  await fixture.over(call);
  await until('the recording', async () => typeof (await fixture.call(call.callId)).recording_url === 'string');
  await succeeded(ada.call('PATCH', `/calls/${call.callId}`, { note: 'Recorded' }));
  const delivered = await waitUntil(async () => (await fixture.sandbox('GET', hook)).body[0], {
    what: 'the event',
    timeoutMs: LIMIT_MS,
  });
  return delivered.body.data.recording_url;
}

it(
  'the address of a recording in a webhook stops working while the company is suspended',
  async () => {
    const address = await recordingInWebhook();
    const status = async () => (await fetch(address, { headers: { Range: 'bytes=0-3' } })).status;
    expect(await status()).toBe(206);
    await suspend(true);
    await until('the address to stop', async () => (await status()) === 404);
    await suspend(false);
    await until('the address to work', async () => (await status()) === 206);
    await until('the key to work', async () => (await statusOf()) === 200);
    await fixture.online(ada);
  },
  6 * LIMIT_MS,
);

it(
  'a suspended company can do nothing and be called by nobody, until it is resumed',
  async () => {
    const { company, stack } = fixture;
    const other = await createTestCompany(stack);
    const call = await fixture.talk(number, ada);
    expect((await suspend(true)).body).toMatchObject({ suspended: true });
    await until('the key to be refused', async () => (await statusOf()) === 401);
    expect((await ada.call('GET', '/calls')).status).toBe(401);
    await fixture.legState(call.legId, 'ended');
    const rejected = await fixture.dial(number, PERSON);
    await fixture.legState(rejected, 'ended');
    expect(await fixture.leg(rejected)).toMatchObject({ hangup_cause: 'CALL_REJECTED', call_id: null });
    await fixture.sandbox('POST', '/messages', { from: PERSON, to: number, text: 'Are you there?' });
    expect((await other.call('GET', '/company')).status).toBe(200);
    expect((await operate(stack, 'GET', `/companies/${company.id}`)).body).toMatchObject({ suspended: true });

    expect((await suspend(false)).body).toMatchObject({ suspended: false });
    await until('the key to work', async () => (await statusOf()) === 200);
    expect((await fixture.call(call.callId)).state).toBe('ended');
    await until('the text of meanwhile', async () => (await company.call('GET', '/inbox')).text.includes(PERSON));
    await fixture.online(ada);
    const again = await fixture.talk(number, ada);
    await fixture.over(again);
    await until('the audit log', async () => {
      const { body } = await company.call('GET', '/audit_events?type=company.updated');
      const changes = body.audit_events
        .slice(0, 2)
        .map((entry: any) => [entry.changes.suspended?.to, entry.actor.type]);
      return isDeepStrictEqual(changes, [
        [false, 'operator'],
        [true, 'operator'],
      ]);
    });
  },
  6 * LIMIT_MS,
);
