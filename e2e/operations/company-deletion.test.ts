import { expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { LIMIT_MS, openPhoneCompany } from '../calls/phone-company.ts';
import { operate, succeeded } from '../support/api.ts';
import { storedBytes } from '../support/stored-bytes.ts';

const PERSON = '+4520661133';
const SERVICES = [
  'call-control',
  'numbers-routing',
  'identity',
  'directory',
  'assistant',
  'messaging-inbox',
  'webhooks',
  'reports',
];

/** A company with a voicemail, a text, a contact, an assistant and an employee. */
async function fill(person: string) {
  const fixture = await openPhoneCompany();
  const { company, stack } = fixture;
  await succeeded(operate(stack, 'PATCH', `/companies/${company.id}`, { messaging_enabled: true }));
  await fixture.hire('Ada', false);
  const number = await fixture.number({ type: 'VoicemailConfig', greeting: 'Leave a message.' });
  const legId = await fixture.dial(number, person);
  const call = { legId, callId: await fixture.callOf(legId) };
  await fixture.state(call.callId, 'recording');
  await fixture.sandbox('POST', `/legs/${legId}/say`, { text: 'Please call me back about the order.' });
  await fixture.over(call);
  await fixture.sandbox('POST', '/messages', { from: person, to: number, text: 'Hello' });
  await succeeded(company.call('POST', '/contacts', { phone: person, name: 'Ane' }));
  await succeeded(
    company.call('POST', '/assistants', { name: 'Robin', greeting: 'How can I help you?', active: false }),
  );
  await waitUntil(async () => (await company.call('GET', '/voicemails')).body.voicemails?.length === 1, {
    what: 'the voicemail',
    timeoutMs: LIMIT_MS,
  });
  return { fixture, number };
}

it(
  'a deleted company is gone everywhere, with a receipt, and no other company is touched',
  async () => {
    const { fixture, number } = await fill(PERSON);
    const { fixture: other } = await fill('+4520661144');
    const { company, stack } = fixture;
    const open = await fixture.dial(number, PERSON);
    await fixture.state(await fixture.callOf(open), 'recording');

    const requested = await operate(stack, 'DELETE', `/companies/${company.id}`);
    expect(requested).toMatchObject({ status: 202, body: { company_id: company.id, state: 'running', done_at: null } });
    const { id } = requested.body;
    const receipt = async () => (await operate(stack, 'GET', `/company_deletions/${id}`)).body;
    await waitUntil(async () => (await receipt()).state === 'done', { what: 'the end', timeoutMs: 2 * LIMIT_MS });
    const { parts, done_at } = await receipt();
    expect(done_at).toEqual(expect.any(String));
    expect(parts.map(({ name }: { name: string }) => name)).toEqual(SERVICES);
    expect(
      parts.every(({ removed, state }: { removed: number; state: string }) => removed > 0 && state === 'done'),
    ).toBe(true);
    expect((await company.call('GET', '/company')).status).toBe(401);
    expect((await operate(stack, 'GET', `/companies/${company.id}`)).status).toBe(404);
    expect((await operate(stack, 'DELETE', `/companies/${company.id}`)).body).toMatchObject({ id, state: 'done' });
    expect((await operate(stack, 'DELETE', '/companies/com_unknown')).status).toBe(404);
    expect((await operate(stack, 'GET', '/company_deletions/cdl_unknown')).status).toBe(404);
    if (process.env['PARLEY_TEST_ENGINES'] !== 'containers') {
      const stored = await storedBytes();
      expect([PERSON, number].filter((text) => stored.includes(text))).toEqual([]);
    }

    expect((await other.company.call('GET', '/voicemails')).body.voicemails).toHaveLength(1);
    expect((await other.company.call('GET', '/contacts')).text).toContain('+4520661144');
    expect((await other.company.call('GET', '/inbox')).text).toContain('+4520661144');
  },
  8 * LIMIT_MS,
);
