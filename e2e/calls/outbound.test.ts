import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { succeeded } from '../support/api.ts';
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

describe('a requested call', () => {
  const request = (who: Employee, change: object = {}) => {
    const to = `+4531${String(process.pid % 1000).padStart(3, '0')}${String(100 + (subscribers += 1))}`;
    return who.call('POST', '/calls', { business_number_id: fixture.numberId(number), to, ...change });
  };
  const legsAt = async (to: string) =>
    (await fixture.sandbox('GET', `/subscribers/${encodeURIComponent(to)}/legs`)).body as {
      leg_id: string;
      from: string;
    }[];

  it('a requested call rings the employee, then the other side, which sees the business number', async () => {
    await fixture.status(ada, 'available');
    const { status, body: call } = await request(ada);
    expect([status, call]).toMatchObject([
      201,
      { direction: 'outbound', state: 'initiated', from: number, initiated_by: { id: ada.id, name: 'Ada' } },
    ]);
    await fixture.rings(ada);
    expect(await legsAt(call.to)).toEqual([]);
    expect(await request(ada)).toMatchObject({ status: 409, body: { error: 'employee_unavailable' } });
    await fixture.answer(ada);
    const remote = await waitUntil(async () => (await legsAt(call.to))[0], { what: 'the other side rings' });
    expect(remote.from).toBe(number);
    await fixture.sandbox('POST', `/legs/${remote.leg_id}/answer`);
    await fixture.state(call.id, 'bridged');
    expect((await ada.call('PUT', `/calls/${call.id}/hold`, { on: true })).body.on_hold).toBe(true);
    await fixture.legState(remote.leg_id, 'on_hold');
    expect((await ada.call('PUT', `/calls/${call.id}/hold`, { on: false })).body.on_hold).toBe(false);
    await fixture.hangUp(remote.leg_id);
    await fixture.state(call.id, 'ended');
    await fixture.waitUntilIdle(ada);
  });

  it('a requested call that the employee declines dials nobody', async () => {
    await fixture.status(ada, 'available');
    const { body: call } = await request(ada);
    await fixture.decline(ada);
    await fixture.state(call.id, 'ended');
    expect(await legsAt(call.to)).toEqual([]);
    await fixture.status(ada, 'available');
  });

  it('a requested call is refused where it cannot or may not be', async () => {
    const bob = await fixture.hire('Bob', false);
    const other = await openPhoneCompany();
    const stranger = await other.hire('Eve', true);
    const { company } = fixture;
    await succeeded(company.call('PATCH', `/employees/${bob.id}`, { role: 'member' }));
    const outcomes = [
      await request(bob),
      await request(bob, { employee_id: ada.id }),
      await request(ada, { employee_id: stranger.id }),
      await request(ada, { employee_id: 'emp_nobody' }),
      await request(stranger),
      await request(ada, { business_number_id: number }),
      await request(ada, { to: 'nobody' }),
      await request(ada, { to: '+8765551234' }),
      await request(ada, { to: undefined }),
    ].map(({ status, body }) => [status, body.code ?? body.error]);
    expect(outcomes).toEqual([
      [409, 'employee_unavailable'],
      [403, 'forbidden'],
      [404, 'not_found'],
      [404, 'not_found'],
      [404, 'not_found'],
      [404, 'not_found'],
      [422, 'validation_failed'],
      [422, 'validation_failed'],
      [422, 'validation_failed'],
    ]);
    expect((await request(ada, { to: '+18765551234' })).body.error).toBe('destination_not_allowed');
    await fixture.limits({ employee_simultaneous_calls: 0 });
    expect(await request(ada)).toMatchObject({ status: 429, body: { error: 'too_many_calls' } });
    await fixture.limits({ employee_simultaneous_calls: 4 });
    await fixture.status(ada, 'available');
  });
});

describe('an outbound call', () => {
  it('an outbound call is answered by the other side, and has the employee who placed it', async () => {
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

  it('an outbound call that the employee cancels stops ringing, and is not lost', async () => {
    const call = await dialOut();
    await fixture.hangUp(call.legId);
    await fixture.state(call.callId, 'ended');
    await fixture.legState(call.remote, 'ended');
    expect(await fixture.events(call.callId, 'call.ended')).toEqual(['call.initiated', 'call.ended']);
  });

  it('an outbound call has a note and tags, by which it is found', async () => {
    const call = await dialOut();
    const change = (body: unknown, id = call.callId) => ada.call('PATCH', `/calls/${id}`, body);
    const tag = `Große Kunden ${process.pid}`;
    expect(await fixture.call(call.callId)).toMatchObject({ note: null, tags: [] });
    expect(await change({ note: 'Call back on Monday', tags: [tag, 'b'] })).toMatchObject({
      status: 200,
      body: { id: call.callId, note: 'Call back on Monday', tags: [tag, 'b'] },
    });
    await fixture.hangUp(call.remote);
    await fixture.state(call.callId, 'ended');
    expect((await change({ note: null })).body).toMatchObject({ note: null, tags: [tag, 'b'], state: 'ended' });
    const found = async (query: string) =>
      (await fixture.company.call('GET', `/calls?${query}`)).body.calls.map(({ id }: { id: string }) => id);
    expect(await found(`tag=${encodeURIComponent(tag.toUpperCase())}&direction=outbound`)).toEqual([call.callId]);
    expect(await found(`tag=${encodeURIComponent(tag)}&direction=inbound`)).toEqual([]);
    expect(await found('tag=c')).toEqual([]);
    const outcomes = [
      await change({ tags: [''] }),
      await change({ tags: 'b' }),
      await change({ note: 7 }),
      await change({ note: 'x'.repeat(10_001) }),
      await change({ note: 'x' }, 'cal_nothing'),
    ].map(({ status }) => status);
    expect(outcomes).toEqual([422, 422, 422, 422, 404]);
    expect(await fixture.events(call.callId, 'call.note_changed')).toContain('call.note_changed');
  });

  it('an outbound call is found by its remote number, in local format as well, and by direction', async () => {
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
