import { beforeAll, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { LIMIT_MS, openPhoneCompany, type PhoneCompany } from '../calls/phone-company.ts';
import { operate, succeeded } from '../support/api.ts';
import { type LoggedEvent, whenRecorded } from './read-events.ts';

let fixture: PhoneCompany;
let callId: string;
beforeAll(async () => {
  fixture = await openPhoneCompany();
  const ada = await fixture.hire('Ada', true);
  const call = await fixture.talk(await fixture.number({ type: 'TransferConfig', employee_ids: [ada.id] }), ada);
  await fixture.waitUntilHeard(call.legId, 'party');
  await fixture.over(call);
  callId = call.callId;
}, 3 * LIMIT_MS);

it(
  'the recording in an event has an address for whoever reads it, which ends with the reader’s credential',
  async () => {
    const { company, stack } = fixture;
    const [ended] = await whenRecorded(company, { types: 'call.ended' }, 1);
    const key = await succeeded(operate(stack, 'POST', `/employees/${company.owner.id}/api_keys`, { name: 'Reader' }));
    const { body } = await succeeded(
      company.call('GET', `/events/${ended!.id}`, undefined, { 'X-Api-Key': key.body.api_key }),
    );
    const { data } = body as LoggedEvent;
    expect({ ...data, recording_url: '' }).toEqual({ ...ended!.data, recording_url: '' });
    expect(data['id']).toBe(callId);
    const status = async (address: string) => (await fetch(address, { headers: { Range: 'bytes=0-3' } })).status;
    for (const address of [data['recording_url'], ended!.data['recording_url']] as string[])
      await waitUntil(async () => (await status(address)) === 206, { what: 'the audio', timeoutMs: LIMIT_MS });
    await succeeded(operate(stack, 'DELETE', `/api_keys/${key.body.id}`));
    await waitUntil(async () => (await status(data['recording_url'])) === 404, { what: 'the end of the address' });
    expect(await status(ended!.data['recording_url'])).toBe(206);
  },
  3 * LIMIT_MS,
);
