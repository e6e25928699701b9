import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { type Employee, openPhoneCompany, type PhoneCompany } from './phone-company.ts';
import { succeeded } from '../support/api.ts';

let fixture: PhoneCompany;
let ada: Employee;
let bob: Employee;
let cyd: Employee;
let number: string;
let call: { legId: string; callId: string };

beforeAll(async () => {
  fixture = await openPhoneCompany();
  [ada, bob, cyd] = [
    await fixture.hire('Ada', true),
    await fixture.hire('Bob', true),
    await fixture.hire('Cyd', false),
  ];
  number = await fixture.number({ type: 'TransferConfig', employee_ids: [ada.id] });
});

beforeEach(async () => {
  await Promise.all([fixture.status(ada, 'available'), fixture.status(bob, 'available')]);
  call = await fixture.talk(number, ada);
});

const start = (who = ada, target = bob) =>
  who.call('POST', `/calls/${call.callId}/transfers`, { employee_id: target.id });
const complete = (who: Employee, id: string) => who.call('POST', `/calls/${call.callId}/transfers/${id}/completion`);
const cancel = (who: Employee, id: string) => who.call('DELETE', `/calls/${call.callId}/transfers/${id}`);
const active = async (who: Employee) => (await who.call('GET', '/calls/active')).body;

describe('a customer on hold', () => {
  const put = (who: Employee, what: 'hold' | 'recording', body: object, id = call.callId) =>
    who.call('PUT', `/calls/${id}/${what}`, body);

  it('a customer on hold hears the wait audio until the controller resumes', async () => {
    expect(await put(ada, 'hold', { on: true })).toMatchObject({
      status: 200,
      body: { id: call.callId, state: 'bridged', on_hold: true },
    });
    await fixture.legState(call.legId, 'on_hold');
    expect((await fixture.heard(call.legId)).at(-1)).toBe('ringtone');
    expect((await put(ada, 'hold', { on: true })).body.on_hold).toBe(true);
    expect((await put(ada, 'hold', { on: false })).body.on_hold).toBe(false);
    await fixture.legState(call.legId, 'connected');
    await fixture.over(call);
    const { body } = await ada.call('GET', `/calls/${call.callId}/timeline`);
    const held = (body.entries as { type: string; what: string; employee_id: string }[])
      .filter(({ type }) => type === 'hold')
      .map(({ what, employee_id: by }) => [what, by]);
    expect(held).toEqual([
      ['held', ada.id],
      ['resumed', ada.id],
    ]);
    expect(await fixture.events(call.callId, 'call.ended')).toEqual(
      expect.arrayContaining(['call.held', 'call.resumed']),
    );
  });

  it('a customer on hold is passed on by a transfer, and comes back when it is cancelled', async () => {
    await put(ada, 'hold', { on: true });
    const { id } = (await start()).body.transfer;
    expect((await put(ada, 'hold', { on: false })).body.error).toBe('call_not_in_conversation');
    expect((await cancel(ada, id)).status).toBe(200);
    await fixture.legState(call.legId, 'connected');
    await waitUntil(async () => (await fixture.call(call.callId)).on_hold === false, { what: 'resumed' });
    await fixture.over(call);
    await fixture.waitUntilIdle(bob);
  });

  it('hold and the pause of a recording are for the controller, in a conversation', async () => {
    for (const [what, body] of [
      ['hold', { on: true }],
      ['recording', { paused: true }],
    ] as const) {
      expect(await put(bob, what, body)).toMatchObject({ status: 403, body: { error: 'not_controller' } });
      expect(await put(ada, what, {})).toMatchObject({ status: 422 });
      expect(await put(ada, what, body, 'cal_nothing')).toMatchObject({ status: 404 });
    }
    expect((await put(ada, 'recording', { paused: true })).body.recording_paused).toBe(true);
    expect((await put(ada, 'recording', { paused: false })).body.recording_paused).toBe(false);
    await fixture.over(call);
    for (const what of ['hold', 'recording'] as const)
      expect(await put(ada, what, { on: true, paused: true })).toMatchObject({
        status: 409,
        body: { error: 'call_not_in_conversation' },
      });
  });
});

describe('a warm transfer', () => {
  it('a warm transfer is completed by the target, who stays with the customer', async () => {
    const { status, body } = await start();
    expect([status, body.transfer]).toEqual([
      201,
      {
        id: expect.stringMatching(/^tra_/),
        state: 'ringing',
        from_employee: { id: ada.id, name: 'Ada' },
        to_employee: { id: bob.id, name: 'Bob' },
      },
    ]);
    const { id } = body.transfer;
    expect((await fixture.call(call.callId)).state).toBe('answered');
    expect((await start(ada, cyd)).body.error).toBe('transfer_in_progress');
    expect((await complete(ada, id)).body.error).toBe('transfer_not_consulting');
    expect((await active(bob)).transfer.state).toBe('ringing');
    await fixture.legState(call.legId, 'on_hold');
    await fixture.answer(bob);
    await waitUntil(async () => (await active(ada)).transfer?.state === 'consulting', { what: 'consulting' });
    expect((await complete(cyd, id)).body.error).toBe('not_participant');
    expect((await complete(bob, id)).body.transfer.state).toBe('completed');
    expect((await fixture.call(call.callId)).state).toBe('bridged');
    expect((await complete(ada, id)).status).toBe(200);
    expect(await cancel(ada, id)).toMatchObject({
      status: 409,
      body: { error: 'transfer_not_open', transfer: { id } },
    });
    await fixture.waitUntilIdle(ada);
    expect((await ada.call('GET', '/calls/active')).status).toBe(204);
    expect(await active(bob)).toMatchObject({ call: { id: call.callId, state: 'bridged' }, transfer: null });
    await fixture.legState(call.legId, 'connected');
    await fixture.over(call);
    expect((await fixture.call(call.callId)).employees.map(({ name }: Employee) => name)).toEqual(['Ada', 'Bob']);
  });

  it('a warm transfer is cancelled by the controller, who gets the customer back', async () => {
    const { id } = (await start()).body.transfer;
    await fixture.rings(bob);
    expect((await cancel(bob, id)).body.error).toBe('not_controller');
    expect((await cancel(ada, id)).body.transfer.state).toBe('cancelled');
    expect((await cancel(ada, id)).status).toBe(200);
    expect((await complete(ada, id)).body.error).toBe('transfer_not_open');
    await fixture.waitUntilIdle(bob);
    await fixture.legState(call.legId, 'connected');
    expect(await active(ada)).toMatchObject({ call: { state: 'bridged' }, transfer: null });
    await fixture.over(call);
  });

  it('a warm transfer begins once, also when it is started several times at the same moment', async () => {
    const replies = await Promise.all(Array.from({ length: 4 }, () => start()));
    const refused = replies.filter(({ status }) => status !== 201).map(({ status, body }) => [status, body.error]);
    expect(refused).toEqual(Array.from({ length: 3 }, () => [409, 'transfer_in_progress']));
    await fixture.rings(bob);
    await fixture.over(call);
    await fixture.waitUntilIdle(bob);
  });

  it('a warm transfer fails when the customer hangs up, and no leg is left', async () => {
    const { id } = (await start()).body.transfer;
    await fixture.answer(bob);
    await waitUntil(async () => (await active(ada)).transfer?.state === 'consulting', { what: 'consulting' });
    await fixture.over(call);
    await Promise.all([fixture.waitUntilIdle(ada), fixture.waitUntilIdle(bob)]);
    expect((await complete(ada, id)).body.transfer.state).toBe('failed');
  });

  it('a warm transfer is refused to whom it does not belong, and where it cannot be', async () => {
    const outcomes = [
      await start(bob, cyd),
      await start(ada, ada),
      await start(ada, cyd),
      await ada.call('POST', `/calls/${call.callId}/transfers`, {}),
      await ada.call('POST', `/calls/${call.callId}/transfers`, { employee_id: 'emp_nobody' }),
      await ada.call('POST', '/calls/cal_nothing/transfers', { employee_id: bob.id }),
    ].map(({ status, body }) => [status, body.code ?? body.error]);
    expect(outcomes).toEqual([
      [403, 'not_controller'],
      [422, 'invalid_target'],
      [409, 'target_unavailable'],
      [400, 'invalid_request'],
      [404, 'not_found'],
      [404, 'not_found'],
    ]);
    await fixture.over(call);
    expect((await start()).body.error).toBe('call_not_transferable');
  });
});

describe('a blind transfer', () => {
  const blind = (body: object = { employee_id: bob.id }) =>
    ada.call('POST', `/calls/${call.callId}/transfers`, { mode: 'blind', ...body });

  it('a blind transfer releases the controller at once; who answers has the customer', async () => {
    expect(await blind()).toMatchObject({ status: 201, body: { transfer: { state: 'ringing', mode: 'blind' } } });
    await fixture.waitUntilIdle(ada);
    await fixture.waitUntilHeard(call.legId, 'ringtone');
    await fixture.answer(bob);
    await fixture.state(call.callId, 'bridged');
    await fixture.legState(call.legId, 'connected');
    expect(await active(bob)).toMatchObject({ call: { id: call.callId }, transfer: null });
    await fixture.over(call);
    expect((await fixture.call(call.callId)).employees.map(({ name }: Employee) => name)).toEqual(['Ada', 'Bob']);
  });

  it('a blind transfer comes back to the controller when the target declines, and to the queue when the controller does too', async () => {
    await blind();
    await fixture.decline(bob);
    await fixture.answer(ada);
    await fixture.state(call.callId, 'bridged');
    await blind();
    await fixture.decline(bob);
    await fixture.decline(ada);
    expect(await fixture.state(call.callId, 'queued')).toMatchObject({ queue_position: 1 });
    await fixture.over(call);
    expect((await fixture.call(call.callId)).answered_at).not.toBeNull();
  });

  it('a blind transfer goes outside, where the business number is seen, within destinations and with one target', async () => {
    const to = `+4532${String(process.pid % 1000).padStart(3, '0')}100`;
    const legsAt = async () => (await fixture.sandbox('GET', `/subscribers/${encodeURIComponent(to)}/legs`)).body;
    const refused = [
      await blind({ phone_number: to, employee_id: bob.id }),
      await blind({ phone_number: 'nobody' }),
      await blind({ phone_number: '112' }),
      await blind({ phone_number: '+18765551234' }),
    ].map(({ status, body }) => [status, body.code ?? body.error]);
    expect(refused).toEqual([
      [422, 'validation_failed'],
      [422, 'validation_failed'],
      [422, 'validation_failed'],
      [403, 'destination_not_allowed'],
    ]);
    await fixture.sandbox('PUT', `/subscribers/${encodeURIComponent(to)}`, { busy: true });
    expect((await blind({ phone_number: to })).body.transfer).toMatchObject({ to_employee: null, to_phone_number: to });
    await fixture.answer(ada);
    await fixture.state(call.callId, 'bridged');
    await fixture.sandbox('PUT', `/subscribers/${encodeURIComponent(to)}`, { busy: false });
    const warm = await ada.call('POST', `/calls/${call.callId}/transfers`, { phone_number: to });
    expect(warm).toMatchObject({ status: 201, body: { transfer: { state: 'ringing', to_phone_number: to } } });
    const leg = await waitUntil(
      async () => (await legsAt()).find(({ state }: { state: string }) => state === 'ringing'),
      {
        what: 'the phone outside rings',
      },
    );
    expect(leg.from).toBe(number);
    await fixture.sandbox('POST', `/legs/${leg.leg_id}/answer`);
    await waitUntil(async () => (await active(ada)).transfer?.state === 'consulting', { what: 'consulting' });
    expect((await complete(ada, warm.body.transfer.id)).body.transfer.state).toBe('completed');
    await fixture.waitUntilIdle(ada);
    await fixture.legState(call.legId, 'connected');
    expect((await fixture.leg(leg.leg_id)).heard.at(-1)).toEqual({ kind: 'party', leg_id: call.legId });
    await fixture.hangUp(leg.leg_id);
    await fixture.state(call.callId, 'ended');
  });
});

describe('supervision', () => {
  it('supervision lets an admin hear a conversation; the customer hears nobody but the employee, unless the admin barges in', async () => {
    const { company } = fixture;
    const supervise = (mode: string, who = cyd) => who.call('POST', `/calls/${call.callId}/supervision`, { mode });
    expect((await supervise('listen')).status).toBe(403);
    expect((await company.call('PATCH', `/employees/${cyd.id}`, { role: 'admin' })).status).toBe(200);
    expect(await supervise('listen')).toMatchObject({ status: 403, body: { error: 'supervision_disabled' } });
    expect((await cyd.call('PATCH', '/company', { supervision_enabled: true })).body.supervision_enabled).toBe(true);
    expect(await supervise('listen')).toMatchObject({ status: 409, body: { error: 'employee_unavailable' } });
    await fixture.online(cyd);
    expect((await supervise('shout')).status).toBe(422);
    expect(await supervise('listen')).toMatchObject({
      status: 201,
      body: { supervision: { employee: { id: cyd.id }, mode: 'listen', state: 'ringing' } },
    });
    await fixture.answer(cyd);
    const adaLeg = (await fixture.phone(ada)).legs[0]!.leg_id;
    const cydLeg = (await fixture.phone(cyd)).legs[0]!.leg_id;
    const heardBy = async (legId: string) => (await fixture.leg(legId)).heard.map(({ leg_id: party }) => party);
    const hears = (legId: string, party: string) =>
      waitUntil(async () => (await heardBy(legId)).includes(party), { what: 'is heard' });
    await hears(cydLeg, adaLeg);
    await hears(cydLeg, call.legId);
    expect(await supervise('whisper')).toMatchObject({ status: 200, body: { supervision: { state: 'joined' } } });
    await hears(adaLeg, cydLeg);
    expect(await heardBy(call.legId)).not.toContain(cydLeg);
    await supervise('barge');
    await hears(call.legId, cydLeg);
    expect((await cyd.call('DELETE', `/calls/${call.callId}/supervision`)).status).toBe(204);
    await fixture.waitUntilIdle(cyd);
    expect(await fixture.call(call.callId)).toMatchObject({ state: 'bridged', employees: [{ id: ada.id }] });
    // It ends with what allowed it, too: the role, and the setting of the company.
    const superviseUntil = async (path: string, change: object, undo: object) => {
      expect((await supervise('listen')).status).toBe(201);
      await fixture.answer(cyd);
      await succeeded(company.call('PATCH', path, change));
      await fixture.waitUntilIdle(cyd);
      await succeeded(company.call('PATCH', path, undo));
    };
    await superviseUntil(`/employees/${cyd.id}`, { role: 'member' }, { role: 'admin' });
    await superviseUntil('/company', { supervision_enabled: false }, { supervision_enabled: true });
    expect(await fixture.call(call.callId)).toMatchObject({ state: 'bridged', employees: [{ id: ada.id }] });
    await fixture.over(call);
    expect((await supervise('listen')).body.error).toBe('call_not_in_conversation');
    const { body } = await ada.call('GET', `/calls/${call.callId}/timeline`);
    const seen = (body.entries as { type: string; what: string; employee_id: string; detail: string }[])
      .filter(({ type }) => type === 'supervision')
      .map(({ what, employee_id: by, detail }) => [what, by, detail]);
    expect(seen.slice(0, 5)).toEqual([
      ['supervision_requested', cyd.id, 'listen'],
      ['supervision_started', cyd.id, 'listen'],
      ['supervision_mode_changed', cyd.id, 'whisper'],
      ['supervision_mode_changed', cyd.id, 'barge'],
      ['supervision_ended', cyd.id, 'barge'],
    ]);
  });
});
