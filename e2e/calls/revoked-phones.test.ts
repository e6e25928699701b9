import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { SipClient } from '../../services/sandbox/test/sip-over-websocket.ts';
import { operate, send, succeeded } from '../support/api.ts';
import { type Employee, openPhoneCompany, type PhoneCompany } from './phone-company.ts';

let fixture: PhoneCompany;
let ada: Employee;
let number: string;
const phones: SipClient[] = [];

beforeAll(async () => {
  fixture = await openPhoneCompany();
  ada = await fixture.hire('Ada', false);
  number = await fixture.number({ type: 'TransferConfig', employee_ids: [ada.id] });
});
afterAll(() => {
  for (const phone of phones) phone.drop();
});

/** A phone that was made with a key of its own. */
async function phoneWithKey() {
  const path = `/employees/${ada.id}/api_keys`;
  const { body: key } = await succeeded(operate(fixture.stack, 'POST', path, { name: 'phone' }));
  const headers = { 'X-Api-Key': key.api_key as string };
  const { body } = await succeeded(
    send('POST', `${fixture.stack.base_url}/api/v1/softphone_sessions`, { headers, body: {} }),
  );
  const phone = await SipClient.connect(body.websocket_url, body.username, body.password);
  phones.push(phone);
  expect((await phone.register()).status).toBe(200);
  return { keyId: key.id as string, phone };
}

/** Ten times the time of the contract, for a busy machine; unanswered phones ring for hours. */
const WITHIN_MS = 10_000;

it('a phone that rings stops when the key that it was made with is revoked; the other phone of the employee rings on', async () => {
  const [revoked, other] = [await phoneWithKey(), await phoneWithKey()];
  await fixture.status(ada, 'available');
  const legId = await fixture.dial(number);
  const callId = await fixture.callOf(legId);
  for (const { phone } of [revoked, other]) phone.respond(await phone.untilRequest('INVITE'), 180);
  await waitUntil(async () => (await fixture.phone(ada)).legs.length === 2, { what: 'both phones' });
  await succeeded(operate(fixture.stack, 'DELETE', `/api_keys/${revoked.keyId}`));
  const cancelled = ({ phone }: typeof revoked) =>
    phone.received.some((message) => 'method' in message && message.method === 'CANCEL');
  await waitUntil(() => cancelled(revoked), { what: 'the end of the ringing', timeoutMs: WITHIN_MS });
  expect(cancelled(other)).toBe(false);
  expect((await fixture.call(callId)).state).toBe('transferring');

  await succeeded(operate(fixture.stack, 'DELETE', `/api_keys/${other.keyId}`));
  await waitUntil(() => cancelled(other), { what: 'the end of the ringing', timeoutMs: WITHIN_MS });
  // The caller goes on waiting for the employee, who has no phone.
  await fixture.status(ada, 'logged_out');
  await fixture.state(callId, 'queued');
  await fixture.over({ legId, callId });
});
