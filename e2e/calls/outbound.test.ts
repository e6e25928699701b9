import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { type Employee, openPhoneCompany, type PhoneCompany } from './phone-company.ts';

let fixture: PhoneCompany;
let ada: Employee;
let number: string;
let subscribers = 0;

beforeAll(async () => {
  fixture = await openPhoneCompany();
  ada = await fixture.hire('Ada', true);
  number = await fixture.number({ type: 'TransferConfig', employee_ids: [ada.id] });
});

const dialOut = async () => {
  const to = `+4530${String(process.pid % 1000).padStart(3, '0')}${String(100 + (subscribers += 1))}`;
  const sent = { business_number_id: fixture.numberId(number), to };
  const { body } = await fixture.sandbox('POST', `/phones/${ada.id}/dial`, sent);
  const remote = await waitUntil(
    async () => {
      const { body: legs } = await fixture.sandbox('GET', `/subscribers/${encodeURIComponent(to)}/legs`);
      return legs[0]?.leg_id as string | undefined;
    },
    { what: 'the other side rings' },
  );
  return { to, legId: body.leg_id as string, remote, callId: await fixture.callOf(remote) };
};

describe('an outbound call', () => {
  it('is answered by the other side, and has the employee who placed it', async () => {
    const call = await dialOut();
    expect(await fixture.call(call.callId)).toMatchObject({ state: 'initiated', answered_at: null });
    await fixture.sandbox('POST', `/legs/${call.remote}/answer`);
    const bridged = await fixture.state(call.callId, 'bridged');
    expect(bridged).toMatchObject({
      direction: 'outbound',
      from: number,
      to: call.to,
      initiated_by: { id: ada.id, name: 'Ada' },
      employees: [{ id: ada.id, name: 'Ada' }],
    });
    await fixture.status(ada, 'on_call');
    await fixture.hangUp(call.remote);
    await fixture.state(call.callId, 'ended');
    expect(await fixture.events(call.callId, 'call.ended')).toEqual(['call.initiated', 'call.answered', 'call.ended']);
    await fixture.waitUntilIdle(ada);
  });

  it('that the employee cancels stops ringing, and is not lost', async () => {
    const call = await dialOut();
    await fixture.hangUp(call.legId);
    await fixture.state(call.callId, 'ended');
    await fixture.legState(call.remote, 'ended');
    expect(await fixture.events(call.callId, 'call.ended')).toEqual(['call.initiated', 'call.ended']);
  });

  it('is found by its remote number, in local format as well, and by direction', async () => {
    const call = await dialOut();
    await fixture.hangUp(call.remote);
    await fixture.state(call.callId, 'ended');
    const found = async (query: string) =>
      (await fixture.company.call('GET', `/calls?${query}`)).body.calls.map(({ id }: { id: string }) => id);
    const local = call.to.slice(3);
    expect(await found(`phone_number=${local}`)).toEqual([call.callId]);
    expect(await found(`phone_number=${encodeURIComponent(call.to)}&direction=outbound&state=ended`)).toEqual([
      call.callId,
    ]);
    expect(await found(`phone_number=${local}&direction=inbound`)).toEqual([]);
    expect(await found(`phone_number=${local}&state=nonsense`)).toEqual([call.callId]);
    expect((await fixture.company.call('GET', '/calls?direction=sideways')).status).toBe(422);
    expect((await fixture.company.call('GET', '/calls?limit=1')).body.calls).toHaveLength(1);
  });
});
