import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Company, createTestCompany, operate, sharedStack } from '../support/api.ts';
import { createNumber, requestNumber } from './create-number.ts';
import { waitForPrompts } from './wait-for-prompts.ts';

const stack = sharedStack();
let company: Company;
let other: Company;
let id: string;

beforeAll(async () => {
  [company, other] = await Promise.all([createTestCompany(), createTestCompany()]);
  id = (await createNumber(company)).body.id;
});

const number = (path = '') => `/business_numbers/${id}${path}`;

describe('a business number', () => {
  it('a business number is given by the operator and has every field of the specification', async () => {
    const given = await createNumber(company, { language: 'da' });
    expect(given.status).toBe(201);
    const { status, body } = await company.call('GET', `/business_numbers/${given.body.id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: given.body.id,
      name: 'Support',
      number: expect.stringMatching(/^\+45\d{8}$/),
      number_formatted: expect.stringMatching(/^\+45( \d\d){4}$/),
      timezone: 'Europe/Copenhagen',
      language: 'da',
      recording_enabled: true,
      recording_announcement: null,
      incoming_call_config: { type: 'TransferConfig', employee_ids: [company.owner.id] },
      outside_business_hours_config: {
        type: 'VoicemailConfig',
        greeting: expect.stringContaining('Tak'),
        // Equal texts share their audio, so another number may have generated it already.
        greeting_audio_url: body.outside_business_hours_config.greeting_audio_url,
      },
      no_answer_config: null,
      no_answer_timeout_secs: null,
      wait_audio: 'ringtone',
      ring_strategy: 'all',
      closures: [],
      announce_position: false,
      callback_offer: false,
      registration_status: 'not_required',
      registration_due_at: null,
      business_hours: expect.any(Array),
      messaging: {
        sms: { can_send: false, can_receive: true },
        mms: { can_send: false, can_receive: false },
      },
    });
    expect(body.business_hours[6]).toEqual({
      day_of_week: 6,
      day_name: 'Sunday',
      open: false,
      opening_at: '09:00',
      closing_at: '17:00',
      breaks: [],
    });
  });

  it('a business number is listed with four fields, to its own company only', async () => {
    const mine = await company.call('GET', '/business_numbers');
    expect(mine.body.main_numbers[0]).toEqual({
      id,
      name: expect.any(String),
      number: expect.any(String),
      number_formatted: expect.any(String),
    });
    expect((await other.call('GET', '/business_numbers')).body).toEqual({ main_numbers: [] });
    for (const path of ['', '/texting_settings', '/route_explanation']) {
      const foreign = await other.call('GET', number(path));
      const unknown = await other.call('GET', `/business_numbers/num_unknown${path}`);
      expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    }
  });

  it('a business number takes its scalar settings by PATCH and nothing else', async () => {
    const changed = await company.call('PATCH', number(), {
      name: 'Sales ~1',
      timezone: 'America/New_York',
      recording_enabled: false,
      wait_audio: 'music',
      number: '+4511111111',
      registration_status: 'approved',
      incoming_call_config: { type: 'RejectConfig', message: 'x' },
    });
    expect(changed.body).toMatchObject({
      name: 'Sales ~1',
      timezone: 'America/New_York',
      recording_enabled: false,
      wait_audio: 'music',
      registration_status: 'not_required',
      incoming_call_config: { type: 'TransferConfig' },
    });
    const refused = await company.call('PATCH', number(), { name: 'Århus', timezone: 'Moon/Sea', language: '?' });
    expect(refused.status).toBe(422);
    expect(Object.keys(refused.body.errors)).toEqual(['name', 'timezone', 'language']);
    for (const wrong of [{ name: null }, { recording_enabled: 'yes' }, { wait_audio: 'silence' }, { language: {} }])
      expect((await company.call('PATCH', number(), wrong)).status).toBe(422);
  });

  it('a business number shows the effect of the operator’s messaging flag at once', async () => {
    const canSend = async () => (await company.call('GET', number())).body.messaging.sms.can_send;
    for (const enabled of [true, false, true]) {
      await operate(stack, 'PATCH', `/companies/${company.id}`, { messaging_enabled: enabled });
      expect(await canSend()).toBe(enabled);
    }
    await operate(stack, 'PATCH', `/business_numbers/${id}`, { sms: { can_send: false } });
    expect(await canSend()).toBe(false);
    await operate(stack, 'PATCH', `/companies/${company.id}`, { messaging_enabled: false });
  });
});

describe('routing', () => {
  const menu = (...menu_options: object[]) => ({ type: 'PhoneMenuConfig', welcome: `Welcome to ${id}`, menu_options });

  it('routing is refused completely, with every invalid field named', async () => {
    await waitForPrompts(company, id);
    const before = await company.call('GET', number());
    const refused = await company.call('PUT', number('/outside_business_hours_config'), {
      ...menu(
        { digit: '1', action_type: 'TransferConfig', employee_ids: [other.owner.id] },
        { digit: '1', action_type: 'VoicemailConfig' },
        { digit: '0', action_type: 'Dance' },
      ),
      business_hours: [{ day_of_week: 9 }],
    });
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({ code: 'validation_failed', error: expect.any(String) });
    expect(Object.keys(refused.body.errors).sort()).toEqual([
      'business_hours[0].day_of_week',
      'menu_options[0].employee_ids[0]',
      'menu_options[1].digit',
      'menu_options[1].prompt',
      'menu_options[2].action_type',
      'menu_options[2].digit',
    ]);
    expect((await company.call('GET', number())).body).toEqual(before.body);
  });

  it('routing is read back as it was set, with ids for menu options', async () => {
    const set = await company.call(
      'PUT',
      number('/incoming_call_config'),
      menu(
        { digit: '1', action_type: 'TransferConfig', employee_ids: [company.owner.id] },
        { digit: '2', action_type: 'PlayMessageConfig', prompt: `Goodbye from ${id}` },
      ),
    );
    expect(set.status).toBe(200);
    expect(set.body.incoming_call_config).toEqual({
      type: 'PhoneMenuConfig',
      welcome: `Welcome to ${id}`,
      welcome_audio_url: null,
      menu_options: [
        {
          id: expect.any(Number),
          digit: '1',
          action_type: 'TransferConfig',
          prompt: null,
          prompt_audio_url: null,
          employee_ids: [company.owner.id],
        },
        {
          id: expect.any(Number),
          digit: '2',
          action_type: 'PlayMessageConfig',
          prompt: `Goodbye from ${id}`,
          prompt_audio_url: null,
          employee_ids: [],
        },
      ],
    });
    expect((await company.call('PUT', number('/incoming_call_config'), { type: null })).status).toBe(422);
    expect((await company.call('PUT', number('/incoming_call_config'), {})).body.errors).toHaveProperty('type');
  });

  it.each([
    [30, 200, 30],
    ['', 200, null],
    [0, 200, null],
    [3600, 200, 3600],
    [null, 200, null],
    [20, 422, null],
    ['30', 422, null],
  ])('routing takes timeout_secs %j with %i', async (timeout_secs, status, stored) => {
    const body = { type: 'RejectConfig', message: 'Sorry', timeout_secs };
    expect((await company.call('PUT', number('/no_answer_config'), body)).status).toBe(status);
    const { no_answer_timeout_secs: now, no_answer_config: flow } = (await company.call('GET', number())).body;
    expect([now, flow.type]).toEqual([stored, 'RejectConfig']);
  });

  it('one request clears a slot of the routing and changes the business hours', async () => {
    const cleared = await company.call('PUT', number('/outside_business_hours_config'), {
      type: null,
      business_hours: [{ day_of_week: 5, open: true, opening_at: '10:00', closing_at: '24:00' }],
    });
    expect(cleared.body.outside_business_hours_config).toBeNull();
    expect(cleared.body.business_hours[5]).toMatchObject({ open: true, opening_at: '10:00', closing_at: '24:00' });
    expect(cleared.body.business_hours[4]).toMatchObject({ open: true, opening_at: '09:00', closing_at: '17:00' });
  });

  it('routing keeps an employee it names from being deleted', async () => {
    const hired = await company.call('POST', '/employees', { name: 'Hal', email: `hal.${id}@example.com` });
    const path = `/employees/${hired.body.id}`;
    const transfer = { type: 'TransferConfig', employee_ids: [hired.body.id] };
    await company.call('PUT', number('/no_answer_config'), transfer);
    const refused = await company.call('DELETE', path);
    expect([refused.status, refused.body]).toMatchObject([409, { error: 'employee_in_use', main_numbers: [{ id }] }]);
    await company.call('PUT', number('/no_answer_config'), { type: null });
    expect((await company.call('DELETE', path)).status).toBe(204);
    const late = await company.call('PUT', number('/no_answer_config'), transfer);
    expect([late.status, Object.keys(late.body.errors)]).toEqual([422, ['employee_ids[0]']]);
  });

  it('routing to an employee and a concurrent deletion never leave a number without employees to ring', async () => {
    for (let round = 0; round < 5; round++) {
      const email = `round.${round}.${id}@example.com`;
      const { id: hired } = (await company.call('POST', '/employees', { name: 'Temp', email })).body;
      const [set, gone] = await Promise.all([
        company.call('PUT', number('/no_answer_config'), { type: 'TransferConfig', employee_ids: [hired] }),
        company.call('DELETE', `/employees/${hired}`),
      ]);
      expect(set.status === 200 && gone.status === 204).toBe(false);
      const flow = (await company.call('GET', number())).body.no_answer_config;
      const there = (await company.call('GET', `/employees/${hired}`)).status === 200;
      if (flow?.employee_ids.includes(hired)) expect(there).toBe(true);
      await company.call('PUT', number('/no_answer_config'), { type: null });
    }
  });
});

describe('the explanation of a route', () => {
  it('the explanation of a route returns which slot applies, why, and whom it would ring', async () => {
    const { id: fresh } = (await createNumber(company)).body;
    const explain = async (at: string) =>
      (await company.call('GET', `/business_numbers/${fresh}/route_explanation?at=${at}`)).body;
    expect(await explain('2026-01-05T12:00:00Z')).toMatchObject({
      slot: 'incoming_call_config',
      within_business_hours: true,
      local_time: '2026-01-05T13:00:00+01:00',
      changes_at: '2026-01-05T16:00:00.000Z',
      employees: [{ id: company.owner.id, name: 'Olivia Owner', digit: null, would_ring: false, reason: 'logged_out' }],
      no_answer: null,
    });
    expect(await explain('2026-01-05T20:00:00%2B01:00')).toMatchObject({
      slot: 'outside_business_hours_config',
      flow: { type: 'VoicemailConfig' },
      employees: [],
    });
    const proposal = { at: '2026-01-05T12:00:00Z', business_hours: [{ day_of_week: 0, open: false }] };
    const proposed = await company.call('POST', `/business_numbers/${fresh}/route_explanation`, proposal);
    expect(proposed.body).toMatchObject({ slot: 'outside_business_hours_config', within_business_hours: false });
    expect((await explain('2026-01-05T12:00:00Z')).within_business_hours).toBe(true);
  });

  it.each(['yesterday', '2026-01-05', '2026-13-05T12:00:00Z'])(
    'the explanation of a route refuses the time %s',
    async (at) => {
      const { status, body } = await company.call('GET', number(`/route_explanation?at=${at}`));
      expect([status, Object.keys(body.errors)]).toEqual([422, ['at']]);
    },
  );
});

describe('closures and breaks', () => {
  it('closures and breaks close a number, and the explanation names them', async () => {
    const { id: closedId } = (await createNumber(company)).body;
    const path = `/business_numbers/${closedId}`;
    expect((await company.call('GET', `${path}/closures`)).body).toEqual({ closures: [] });
    const closure = { name: 'Christmas', from: '2026-12-24', to: '2027-01-02' };
    const created = await company.call('POST', `${path}/closures`, closure);
    expect(created).toMatchObject({ status: 201, body: { ...closure, id: expect.any(String) } });
    const one = `${path}/closures/${created.body.id}`;
    const changed = await company.call('PATCH', one, { to: '2027-01-03' });
    expect(changed).toMatchObject({ status: 200, body: { ...created.body, to: '2027-01-03' } });
    expect((await company.call('GET', `${path}/closures`)).body).toEqual({ closures: [changed.body] });
    const explain = async (at: string) =>
      (await company.call('GET', `${path}/route_explanation?at=${encodeURIComponent(at)}`)).body;
    expect(await explain('2026-12-29T11:00:00+01:00')).toMatchObject({
      within_business_hours: false,
      slot: 'outside_business_hours_config',
      closure: changed.body,
      break: null,
      changes_at: '2027-01-04T08:00:00.000Z',
    });
    const hours = await company.call('PUT', `${path}/outside_business_hours_config`, {
      type: null,
      business_hours: [{ day_of_week: 0, breaks: [{ from: '12:00', to: '12:30' }] }],
    });
    expect(hours.body.closures).toEqual([changed.body]);
    expect(hours.body.business_hours[0].breaks).toEqual([{ from: '12:00', to: '12:30' }]);
    expect(await explain('2027-01-04T12:10:00+01:00')).toMatchObject({
      within_business_hours: false,
      closure: null,
      break: { from: '12:00', to: '12:30' },
    });
    expect((await company.call('DELETE', one)).status).toBe(204);
    expect((await company.call('DELETE', one)).status).toBe(404);
    expect(await explain('2026-12-29T11:00:00+01:00')).toMatchObject({ within_business_hours: true, closure: null });
  });

  it('closures and breaks are refused when they are wrong, and another company has none of them', async () => {
    const wrong = await company.call('POST', number('/closures'), { name: '', from: '2026-02-30', to: 'x' });
    expect([wrong.status, Object.keys(wrong.body.errors).sort()]).toEqual([422, ['from', 'name', 'to']]);
    const outside = await company.call('PUT', number('/outside_business_hours_config'), {
      type: null,
      business_hours: [{ day_of_week: 0, breaks: [{ from: '08:00', to: '12:30' }] }],
    });
    expect([outside.status, outside.body.errors]).toEqual([
      422,
      { 'business_hours[0].breaks[0].from': ['must be inside the opening time'] },
    ]);
    const closure = { name: 'Easter', from: '2027-03-25', to: '2027-03-29' };
    const { body } = await company.call('POST', number('/closures'), closure);
    for (const [method, path, sent] of [
      ['GET', '/closures', undefined],
      ['POST', '/closures', closure],
      ['PATCH', `/closures/${body.id}`, {}],
      ['DELETE', `/closures/${body.id}`, undefined],
    ] as const)
      expect((await other.call(method, number(path), sent)).status).toBe(404);
  });

  it('closures and breaks can be taken from the public holidays of a country', async () => {
    const { status, body } = await company.call('GET', '/holidays?country=DK&year=2027');
    expect(status).toBe(200);
    expect(body.holidays).toContainEqual({ date: '2027-12-25', name: expect.any(String) });
    for (const query of ['', '?country=DK', '?country=XX&year=2027', '?country=DK&year=1999', '?country=DK&year=27'])
      expect((await company.call('GET', `/holidays${query}`)).status).toBe(422);
  });
});

describe('texting settings', () => {
  it('texting settings come and go with the messaging flag, and are defaults until saved', async () => {
    const path = number('/texting_settings');
    expect((await company.call('GET', path)).status).toBe(404);
    expect((await company.call('PATCH', path, { auto_reply_enabled: false })).status).toBe(404);
    expect((await company.call('PATCH', path, { auto_reply_enabled: 'wrong' })).status).toBe(404);
    await operate(stack, 'PATCH', `/companies/${company.id}`, { messaging_enabled: true });
    const defaults = { auto_reply_enabled: false, auto_reply_text: null, auto_reply_cooldown_minutes: 1440 };
    expect((await company.call('GET', path)).body).toEqual(defaults);
    for (const wrong of [
      { auto_reply_enabled: true },
      { auto_reply_cooldown_minutes: 59 },
      { auto_reply_cooldown_minutes: 60.5 },
      { auto_reply_cooldown_minutes: 1e12 },
      { auto_reply_text: 'x'.repeat(10_001) },
      { auto_reply_enabled: 1 },
    ])
      expect((await company.call('PATCH', path, wrong)).status).toBe(422);
    const saved = { auto_reply_enabled: true, auto_reply_text: 'We are closed.', auto_reply_cooldown_minutes: 60 };
    expect((await company.call('PATCH', path, saved)).body).toEqual(saved);
    expect((await company.call('GET', path)).body).toEqual(saved);
  });
});

describe('a registration', () => {
  it('a registration is changed by the operator, one valid transition at a time', async () => {
    const due = '2027-01-01T00:00:00.000Z';
    const given = await createNumber(company, { registration_status: 'pending', registration_due_at: due });
    expect(given.body).toMatchObject({ registration_status: 'pending', registration_due_at: due });
    const move = (status: string, reason?: string) =>
      operate(stack, 'PUT', `/business_numbers/${given.body.id}/registration`, { status, reason });
    expect((await move('approved')).body).toMatchObject({ code: 'invalid_transition' });
    expect((await move('submitted')).body.registration_status).toBe('submitted');
    expect((await move('rejected', 'No address')).body.registration_status).toBe('rejected');
    expect((await move('finished')).status).toBe(422);
    expect((await operate(stack, 'PUT', '/business_numbers/num_x/registration', { status: 'pending' })).status).toBe(
      404,
    );
  });
});

describe('the operator', () => {
  it.each([
    [{ number: '12' }, ['number']],
    [{ name: '' }, ['name']],
    [{ timezone: 'Nowhere' }, ['timezone']],
    [{ language: '' }, ['language']],
    [{ incoming_call_config: { type: 'TransferConfig' } }, ['incoming_call_config.employee_ids']],
    [{ incoming_call_config: 5 }, ['incoming_call_config']],
    [{ registration_status: 'lost' }, ['registration_status']],
  ])('the operator cannot give a number with %j', async (wrong, fields) => {
    const refused = await requestNumber(company, wrong);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, fields]);
  });

  it('the operator cannot assign a number twice, nor to an unknown company', async () => {
    const { number: taken } = (await createNumber(company)).body;
    const again = await requestNumber(other, { number: taken });
    expect([again.status, again.body.errors]).toEqual([422, { number: ['has already been taken'] }]);
    expect((await requestNumber({ ...other, id: 'com_nobody' })).status).toBe(404);
  });
});
