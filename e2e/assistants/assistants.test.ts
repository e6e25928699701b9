import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { createNumber } from '../business-numbers/create-number.ts';
import { type Colleague, newColleague, request } from '../roles/staff.ts';
import { type Company, createTestCompany, succeeded } from '../support/api.ts';

let company: Company;
let other: Company;
beforeAll(async () => {
  [company, other] = await Promise.all([createTestCompany(), createTestCompany()]);
}, 120_000);

const required = { name: 'Robin', greeting: 'How can I help?' };
const create = (body: object = {}, of = company) => of.call('POST', '/assistants', { ...required, ...body });
const created = async (body: object = {}, of = company) => (await succeeded(create(body, of))).body;

describe('assistants', () => {
  it('assistants are created with defaults, changed in part, listed and deleted', async () => {
    const { status, body } = await create();
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^ast_/),
        ...required,
        language: 'en',
        disclosure: 'You are speaking with an automated assistant.',
        instructions: '',
        voice: null,
        engine: 'auto',
        actions: { transfer: true, take_message: true, request_callback: true, send_text: false },
        transfer_targets: [],
        reach_employees_by_name: true,
        recognise_callers: true,
        keep_transcript: true,
        max_duration_secs: 600,
        silence_secs: 7,
        active: true,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
    const change = { actions: { send_text: true }, silence_secs: 9, color: 'red' };
    const changed = await company.call('PATCH', `/assistants/${body.id}`, change);
    expect([changed.status, changed.body]).toEqual([
      200,
      {
        ...body,
        actions: { ...body.actions, send_text: true },
        silence_secs: 9,
        updated_at: expect.any(String),
      },
    ]);
    expect((await company.call('GET', `/assistants/${body.id}`)).body).toEqual(changed.body);
    expect((await company.call('GET', '/assistants')).body.assistants).toContainEqual(changed.body);
    expect((await company.call('DELETE', `/assistants/${body.id}`)).status).toBe(204);
    expect((await company.call('GET', `/assistants/${body.id}`)).status).toBe(404);
    expect((await company.call('DELETE', `/assistants/${body.id}`)).status).toBe(404);
  });

  it.each<[object, ...string[]]>([
    [{ name: undefined }, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(41) }, 'name'],
    [{ name: null }, 'name'],
    [{ greeting: '' }, 'greeting'],
    [{ greeting: { $gt: '' } }, 'greeting'],
    [{ language: 'xx' }, 'language'],
    [{ disclosure: '' }, 'disclosure'],
    [{ disclosure: 'x'.repeat(201) }, 'disclosure'],
    [{ instructions: 'x'.repeat(4001) }, 'instructions'],
    [{ voice: 'nobody' }, 'voice'],
    [{ engine: 'endpoint' }, 'engine'],
    [{ actions: { transfer: 'yes' } }, 'actions.transfer'],
    [{ max_duration_secs: 59 }, 'max_duration_secs'],
    [{ max_duration_secs: 2 ** 40 }, 'max_duration_secs'],
    [{ silence_secs: 4.5 }, 'silence_secs'],
    [{ active: 1 }, 'active'],
    [{ transfer_targets: [{ name: 'Sales' }] }, 'transfer_targets[0].employee_ids'],
    [{ transfer_targets: [{ name: 'Sales', employee_ids: ['emp_x'] }] }, 'transfer_targets[0].employee_ids[0]'],
    [{ transfer_targets: [{ name: 'Sales', phone_number: 'hello' }] }, 'transfer_targets[0].phone_number'],
    [{ transfer_targets: Array(51).fill({ name: 'Sales', phone_number: '20 30 40 50' }) }, 'transfer_targets'],
    [{ name: '', greeting: '', silence_secs: 99 }, 'name', 'greeting', 'silence_secs'],
  ])('an assistant cannot be %j', async (body, ...fields) => {
    const reply = await create(body);
    expect([reply.status, reply.body.code, Object.keys(reply.body.errors)]).toEqual([422, 'validation_failed', fields]);
  });

  it('an assistant transfers to employees or to a phone outside, and what was read can be sent back', async () => {
    const targets = [
      { name: 'Sales', aliases: ['Orders'], employee_ids: [company.owner.id] },
      { name: 'Workshop', phone_number: '20 30 40 50' },
    ];
    const { id, transfer_targets: read } = await created({ transfer_targets: targets });
    expect(read).toEqual([
      {
        id: expect.stringMatching(/^tgt_/),
        name: 'Sales',
        aliases: ['Orders'],
        employee_ids: [company.owner.id],
        phone_number: null,
      },
      {
        id: expect.stringMatching(/^tgt_/),
        name: 'Workshop',
        aliases: [],
        employee_ids: [],
        phone_number: '+4520304050',
      },
    ]);
    const { body } = await succeeded(company.call('PATCH', `/assistants/${id}`, { transfer_targets: read }));
    expect(body.transfer_targets).toEqual(read);
    const both = { name: 'Both', employee_ids: [company.owner.id], phone_number: '20 30 40 50' };
    expect(await company.call('PATCH', `/assistants/${id}`, { transfer_targets: [both] })).toMatchObject({
      status: 422,
      body: { errors: { 'transfer_targets[0].phone_number': expect.any(Array) } },
    });
    const expensive = { name: 'Expensive', phone_number: '+1 900 555 1234' };
    expect(await company.call('PATCH', `/assistants/${id}`, { transfer_targets: [expensive] })).toMatchObject({
      status: 403,
      body: { error: 'destination_not_allowed' },
    });
  });

  it('a removed employee leaves the targets of an assistant', async () => {
    const email = `eva.${Math.random().toString(36).slice(2)}@example.com`;
    const { body: eva } = await succeeded(company.call('POST', '/employees', { name: 'Eva', email }));
    const { id } = await created({ transfer_targets: [{ name: 'Eva', employee_ids: [eva.id] }] });
    await succeeded(company.call('DELETE', `/employees/${eva.id}`));
    await waitUntil(async () => (await company.call('GET', `/assistants/${id}`)).body.transfer_targets.length === 0, {
      what: 'the removal from the targets',
    });
  });

  it('assistants of another company are not there', async () => {
    const { id } = await created();
    for (const given of [id, 'ast_unknown'])
      for (const [method, body] of [
        ['GET'],
        ['PATCH', { name: 'Theirs' }],
        ['PATCH', { name: 7 }],
        ['DELETE'],
      ] as const) {
        const reply = await other.call(method, `/assistants/${given}`, body);
        expect([method, reply.status, reply.body]).toEqual([method, 404, { error: 'not_found' }]);
      }
    expect((await other.call('GET', '/assistants')).body).toEqual({ assistants: [] });
  });

  it('a company has twenty assistants at most', async () => {
    const { length } = (await company.call('GET', '/assistants')).body.assistants;
    for (let index = length; index < 20; index += 1) await created();
    const refused = await create();
    expect([refused.status, refused.body.code]).toEqual([422, 'limit_reached']);
  });

  it('languages and voices are there to choose from', async () => {
    const { status, body } = await company.call('GET', '/assistant_options');
    expect(status).toBe(200);
    expect(body.languages).toContain('en');
    expect(body.voices).toContain('dittli-en');
    expect(body.endpoint).toEqual({ source: 'none', model: null });
  });
});

describe('an assistant of a number', () => {
  it('an assistant of a number is named in its routing, and deleted only when no number has it', async () => {
    const { id } = await created({}, other);
    const { body: number } = await createNumber(other, { name: 'Front desk' });
    const path = `/business_numbers/${number.id}/incoming_call_config`;
    const fallback = { type: 'TransferConfig', employee_ids: [other.owner.id] };
    const flow = { type: 'AssistantConfig', assistant_id: id, fallback };
    await succeeded(other.call('PUT', path, flow));
    const refused = await other.call('DELETE', `/assistants/${id}`);
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        error: 'assistant_in_use',
        code: 'assistant_in_use',
        main_numbers: [{ id: number.id, name: 'Front desk' }],
      },
    ]);
    await succeeded(other.call('PATCH', `/assistants/${id}`, { name: 'Alex' }));
    const read = await other.call('GET', `/business_numbers/${number.id}`);
    expect(read.body.incoming_call_config).toMatchObject({ type: 'AssistantConfig', assistant: { id, name: 'Alex' } });
    await succeeded(other.call('PUT', path, fallback));
    expect((await other.call('DELETE', `/assistants/${id}`)).status).toBe(204);
    expect((await other.call('PUT', path, flow)).status).toBe(422);
  });

  it('an assistant that is deleted while a number chooses it has one of both, never both', async () => {
    const { body: number } = await createNumber(other);
    const path = `/business_numbers/${number.id}/incoming_call_config`;
    const fallback = { type: 'TransferConfig', employee_ids: [other.owner.id] };
    for (let round = 0; round < 5; round += 1) {
      const { id } = await created({}, other);
      const [chosen, deleted] = await Promise.all([
        other.call('PUT', path, { type: 'AssistantConfig', assistant_id: id, fallback }),
        other.call('DELETE', `/assistants/${id}`),
      ]);
      expect([
        [200, 409],
        [422, 204],
        [422, 409],
      ]).toContainEqual([chosen.status, deleted.status]);
      const { assistant_id: named } = (await other.call('GET', `/business_numbers/${number.id}`)).body
        .incoming_call_config;
      expect(named === id).toBe(chosen.status === 200);
      await succeeded(other.call('PUT', path, fallback));
      if (deleted.status !== 204) await succeeded(other.call('DELETE', `/assistants/${id}`));
    }
  });
});

describe('the audit log', () => {
  it('the audit log has who changed an assistant and what, without its words', async () => {
    const admin = await newColleague(other, 'admin');
    const words = 'the safe is behind the painting';
    const { body } = await succeeded(request(admin.byKey, 'POST', '/assistants', { ...required, instructions: words }));
    await succeeded(request(admin.byToken, 'PATCH', `/assistants/${body.id}`, { name: 'Alex', greeting: words }));
    await succeeded(request(admin.bySession, 'DELETE', `/assistants/${body.id}`));
    const entries = await auditEntries(admin, body.id, 3);
    const actor = (type: string) => ({ type, id: admin.employeeId });
    expect(entries).toMatchObject([
      { type: 'assistant.deleted', actor: actor('employee') },
      {
        type: 'assistant.updated',
        actor: actor('app'),
        object: { type: 'assistant', name: 'Alex' },
        changes: { name: { from: 'Robin', to: 'Alex' }, greeting: { from: '(set)', to: '(set)' } },
      },
      { type: 'assistant.created', actor: actor('employee'), changes: { instructions: { from: null, to: '(set)' } } },
    ]);
    expect(JSON.stringify(entries)).not.toContain('painting');
  });

  it('the audit log has changes of knowledge and of the language model, without answers and keys', async () => {
    const admin = await newColleague(other, 'admin');
    const answer = 'the safe is behind the painting';
    const { body: entry } = await succeeded(
      request(admin.byKey, 'POST', '/knowledge_entries', { title: answer, answer }),
    );
    await succeeded(request(admin.byKey, 'PATCH', `/knowledge_entries/${entry.id}`, { active: false }));
    await succeeded(request(admin.byKey, 'DELETE', `/knowledge_entries/${entry.id}`));
    expect(await auditEntries(admin, entry.id, 3)).toMatchObject([
      { type: 'knowledge_entry.deleted' },
      { type: 'knowledge_entry.updated', changes: { active: { from: true, to: false } } },
      { type: 'knowledge_entry.created', changes: { answer: { from: null, to: '(set)' } } },
    ]);
    const model = { url: 'https://1.1.1.1/v1', model: 'small', api_key: 'sk-very-secret' };
    await succeeded(request(admin.byKey, 'PUT', '/assistant_endpoint', model));
    await succeeded(request(admin.byKey, 'DELETE', '/assistant_endpoint'));
    const entries = await waitUntil(
      async () => {
        const { body } = await succeeded(request(admin.byKey, 'GET', '/audit_events?limit=20'));
        return (
          body.audit_events.some(({ type }: { type: string }) => type === 'assistant_endpoint.removed') &&
          body.audit_events
        );
      },
      { what: 'the removal in the audit log' },
    );
    expect(entries[1]).toMatchObject({
      type: 'assistant_endpoint.changed',
      changes: { model: { from: null, to: 'small' }, api_key: { from: null, to: '(set)' } },
    });
    expect(JSON.stringify(entries)).not.toMatch(/painting|sk-very/);
  });

  async function auditEntries(admin: Colleague, id: string, count: number): Promise<object[]> {
    return waitUntil(
      async () => {
        const { body } = await succeeded(request(admin.byKey, 'GET', `/audit_events?object_id=${id}`));
        return body.audit_events.length >= count && body.audit_events;
      },
      { what: `${count} entries in the audit log` },
    );
  }
});
