import { beforeAll, describe, expect, it } from '@jest/globals';
import { operate, type Reply, sharedStack, succeeded } from '../support/api.ts';
import { type Employee, openPhoneCompany, type PhoneCompany } from './phone-company.ts';

const stack = sharedStack();
let fixture: PhoneCompany;
let ada: Employee;
let eva: Employee;
let number: string;

beforeAll(async () => {
  fixture = await openPhoneCompany();
  [ada, eva] = [await fixture.hire('Ada', true), await fixture.hire('Eva', false)];
  number = await fixture.number({ type: 'TransferConfig', employee_ids: [ada.id] });
  await succeeded(operate(stack, 'PATCH', `/companies/${fixture.company.id}`, { messaging_enabled: true }));
}, 300_000);

const legsAt = async (to: string) =>
  (await fixture.sandbox('GET', `/subscribers/${encodeURIComponent(to)}/legs`)).body as object[];
const outcome = ({ status, body }: Reply) => [status, body.code ?? body.error];
const REFUSED = [403, 'destination_not_allowed'];

describe.each([
  ['a premium-rate number with a digit more', '+4990011234567'],
  ['directory enquiries', '+4911833'],
])('%s', (_what, to) => {
  it('an expensive destination is refused wherever a number is given', async () => {
    const { company } = fixture;
    const path = `/business_numbers/${fixture.numberId(number)}`;
    const forward = { type: 'ForwardConfig', phone_number: to, timeout_secs: 30 };
    const replies = [
      await ada.call('POST', '/calls', { business_number_id: fixture.numberId(number), to }),
      await company.call('PATCH', `/employees/${ada.id}`, { forward_to: to }),
      await company.call('PUT', `${path}/incoming_call_config`, forward),
      await company.call('PUT', `${path}/no_answer_config`, forward),
      await company.call('POST', `${path}/messages`, { to, text: 'Hello', idempotency_key: `${to}-${process.pid}` }),
    ];
    expect(replies.map(outcome)).toEqual(replies.map(() => REFUSED));
  });

  it('an expensive destination is refused as the target of transfers, and on a phone', async () => {
    const { legId, callId } = await fixture.talk(number, ada);
    const transfer = (more: object) => ada.call('POST', `/calls/${callId}/transfers`, { phone_number: to, ...more });
    expect(outcome(await transfer({ mode: 'blind' }))).toEqual(REFUSED);
    expect(outcome(await transfer({}))).toEqual(REFUSED);
    await fixture.over({ legId, callId });
    await fixture.waitUntilIdle(ada);
    const sent = { business_number_id: fixture.numberId(number), to };
    const dialled = (await fixture.sandbox('POST', `/phones/${ada.id}/dial`, sent)).body.leg_id;
    await fixture.legState(dialled, 'ended');
    expect((await fixture.leg(dialled)).hangup_cause).toBe('OUTGOING_CALL_BARRED');
    expect(await legsAt(to)).toEqual([]);
  });

  it('an expensive destination is not called back: the caller who forges it goes on waiting', async () => {
    const busy = await fixture.number({ type: 'TransferConfig', employee_ids: [eva.id] });
    const settings = { callback_offer: true };
    await succeeded(fixture.company.call('PATCH', `/business_numbers/${fixture.numberId(busy)}`, settings));
    const legId = await fixture.dial(busy, to);
    const callId = await fixture.callOf(legId);
    await fixture.state(callId, 'queued');
    await fixture.press(legId, '1');
    await fixture.sandbox('PUT', `/phones/${eva.id}`, { online: true });
    await fixture.answer(eva);
    expect(await fixture.state(callId, 'bridged')).not.toHaveProperty('callback.state');
    await fixture.legState(legId, 'connected');
    await fixture.over({ legId, callId });
    await fixture.online(eva, false);
    expect(await legsAt(to)).toEqual([]);
  });
});

it('a country is not opened by a company that moves there', async () => {
  const { company } = fixture;
  const allowed = async () => (await operate(stack, 'GET', `/companies/${company.id}`)).body.destinations;
  const before = await allowed();
  const australian = { business_number_id: fixture.numberId(number), to: '+61291234567' };
  await succeeded(company.call('PATCH', '/company', { country: 'AU' }));
  expect(await allowed()).toEqual(before);
  expect(outcome(await ada.call('POST', '/calls', australian))).toEqual(REFUSED);
  await succeeded(company.call('PATCH', '/company', { country: 'DK' }));
});
