import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { header } from '@parley/sip';
import { SipClient } from '../../services/sandbox/test/sip-over-websocket.ts';
import { type Employee, openPhoneCompany, type PhoneCompany } from './phone-company.ts';

let fixture: PhoneCompany;
let ada: Employee;
let number: string;
const phones: SipClient[] = [];
/** Numbers that nobody here ever calls. */
const [first, second, third] = ['+19005550101', '+19005550102', '+19005550103'];

beforeAll(async () => {
  fixture = await openPhoneCompany();
  ada = await fixture.hire('Ada', false);
  number = await fixture.number({ type: 'TransferConfig', employee_ids: [ada.id] });
});
afterAll(() => {
  for (const phone of phones) phone.drop();
});

async function registered(contact?: string): Promise<SipClient> {
  const { body } = await ada.call('POST', '/softphone_sessions');
  const phone = await SipClient.connect(body.websocket_url, body.username, body.password);
  phones.push(phone);
  const { status } = await phone.register(contact === undefined ? {} : { Contact: `<${contact}>;expires=600` });
  expect(status).toBe(200);
  return phone;
}

it('a phone that registers a dial string rings at most itself, and calls nobody', async () => {
  const split = await registered(`sip:a,sofia/external/${first}@carrier.invalid;transport=ws`);
  const alternative = await registered(`sip:a|sofia/external/${second}@carrier.invalid;transport=ws`);
  const more = await registered(
    `sip:a@b.invalid;transport=ws;x=:_:[origination_caller_id_number=+4511111111]sofia/external/${third}@carrier.invalid`,
  );
  const honest = await registered();
  await fixture.status(ada, 'available');
  const legId = await fixture.dial(number, '+4520304050');
  const callId = await fixture.callOf(legId);
  // The text behind the third address is dropped; the address itself is valid.
  for (const phone of [honest, more]) {
    const invite = await phone.untilRequest('INVITE');
    expect(header(invite, 'from')).toContain('+4520304050');
    expect(header(invite, 'x-parley-call')).toBe(callId);
    phone.respond(invite, 180);
  }
  await fixture.rings(ada);
  expect((await fixture.phone(ada)).legs).toHaveLength(2);
  for (const to of [first, second, third])
    expect((await fixture.sandbox('GET', `/subscribers/${encodeURIComponent(to)}/legs`)).body).toEqual([]);
  for (const phone of [split, alternative])
    expect(phone.received.filter((message) => 'method' in message && message.method === 'INVITE')).toEqual([]);
  await fixture.over({ legId, callId });
});

it('a phone that can only be dialled with its own syntax does not make its employee available', async () => {
  const bob = await fixture.hire('Bob', false);
  const { body } = await bob.call('POST', '/softphone_sessions');
  const phone = await SipClient.connect(body.websocket_url, body.username, body.password);
  phones.push(phone);
  expect((await phone.register()).status).toBe(200);
  await fixture.status(bob, 'available');
  // The same registration with another contact.
  const { status } = await phone.register({ Contact: '<sip:a${system(id)}@b.invalid;transport=ws>;expires=600' });
  expect(status).toBe(200);
  await fixture.status(bob, 'logged_out');
});
