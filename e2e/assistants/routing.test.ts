import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { createNumber } from '../business-numbers/create-number.ts';
import { LIMIT_MS } from '../calls/phone-company.ts';
import { type Company, createTestCompany, sandbox, sharedStack, succeeded } from '../support/api.ts';

const stack = sharedStack();
let company: Company;
let assistantId: string;
let numberId: string;

beforeAll(async () => {
  company = await createTestCompany();
  const robin = { name: 'Robin', greeting: 'How can I help?' };
  assistantId = (await succeeded(company.call('POST', '/assistants', robin))).body.id;
  numberId = (await createNumber(company, { name: 'Front desk' })).body.id;
});

const put = (config: object, slot = 'incoming_call_config') =>
  company.call('PUT', `/business_numbers/${numberId}/${slot}`, config);
const read = async (slot = 'incoming_call_config') =>
  (await succeeded(company.call('GET', `/business_numbers/${numberId}`))).body[slot];
const answered = (fallback: unknown, id: unknown = assistantId) => ({
  type: 'AssistantConfig',
  assistant_id: id,
  fallback,
});
const menu = (option: object) => ({
  type: 'PhoneMenuConfig',
  welcome: 'Press one or two.',
  menu_options: [
    { digit: '1', action_type: 'PlayMessageConfig', prompt: 'Hello.' },
    { ...option, digit: '2', action_type: 'AssistantConfig' },
  ],
});
const voicemail = { type: 'VoicemailConfig', greeting: 'Please leave a message.' };
const transfer = (...ids: string[]) => ({ type: 'TransferConfig', employee_ids: ids });
const hire = async () => {
  const email = `robin.${process.pid}.${Math.random().toString(36).slice(2)}@example.com`;
  return (await succeeded(company.call('POST', '/employees', { name: 'Tara', email }))).body.id as string;
};

describe('an assistant in the routing of a number', () => {
  it('an assistant in the routing of a number is read with its name and the audio of its fallback', async () => {
    const shown = { assistant_id: assistantId, assistant: { id: assistantId, name: 'Robin' } };
    for (const slot of ['incoming_call_config', 'outside_business_hours_config', 'no_answer_config']) {
      await succeeded(put(answered(voicemail), slot));
      expect(await read(slot)).toMatchObject({ ...shown, type: 'AssistantConfig', fallback: voicemail });
      await waitUntil(async () => (await read(slot)).fallback.greeting_audio_url, {
        what: 'the audio of the greeting',
        timeoutMs: LIMIT_MS,
      });
    }
    await succeeded(put(menu(answered(transfer(company.owner.id)))));
    expect((await read()).menu_options[1]).toMatchObject({
      ...shown,
      action_type: 'AssistantConfig',
      prompt: null,
      employee_ids: [],
      fallback: transfer(company.owner.id),
    });
    await succeeded(put({ type: null }, 'no_answer_config'));
    await succeeded(put({ type: null }, 'outside_business_hours_config'));
  });

  it.each<[string, () => unknown, string]>([
    ['no id', () => answered(voicemail, null), 'assistant_id'],
    ['an unknown id', () => answered(voicemail, 'ast_unknown'), 'assistant_id'],
    ['no fallback', () => answered(undefined), 'fallback'],
    ['a menu as its fallback', () => answered(menu({})), 'fallback.type'],
    ['nobody in its fallback', () => answered(transfer()), 'fallback.employee_ids'],
    ['somebody unknown in its fallback', () => answered(transfer('emp_unknown')), 'fallback.employee_ids[0]'],
    ['no greeting in its fallback', () => answered({ type: 'VoicemailConfig' }), 'fallback.greeting'],
  ])('an assistant in the routing of a number is refused with %s, in a menu as well', async (_, config, path) => {
    const before = await read();
    const direct = await put(config() as object);
    expect([direct.status, Object.keys(direct.body.errors)]).toEqual([422, [path]]);
    const inMenu = await put(menu(config() as object));
    expect([inMenu.status, Object.keys(inMenu.body.errors)]).toEqual([422, [`menu_options[1].${path}`]]);
    expect((await read()).type).toBe(before.type);
  });

  it('an assistant in the routing of a number of another company is unknown', async () => {
    const other = await createTestCompany();
    const { body: theirs } = await succeeded(
      other.call('POST', '/assistants', { name: 'Alex', greeting: 'Good morning.' }),
    );
    const refused = await put(answered(voicemail, theirs.id));
    const unknown = await put(answered(voicemail, 'ast_unknown'));
    expect([refused.status, refused.body]).toEqual([422, unknown.body]);
  });

  it('an assistant in the routing of a number keeps the employees of its fallback, and is never at risk', async () => {
    const employee = await hire();
    await succeeded(sandbox(stack, 'PUT', `/phones/${employee}`, { online: true }));
    const atRisk = async () =>
      (await company.call('GET', `/employees/${employee}/do_not_disturb`)).body.at_risk_main_numbers;
    await succeeded(put(transfer(employee)));
    expect(await atRisk()).toMatchObject([{ name: 'Front desk' }]);
    await succeeded(put(answered(transfer(employee))));
    expect(await atRisk()).toEqual([]);
    const removed = await company.call('DELETE', `/employees/${employee}`);
    expect([removed.status, removed.body]).toMatchObject([
      409,
      { code: 'employee_in_use', main_numbers: [{ id: numberId, name: 'Front desk' }] },
    ]);
    await succeeded(put(answered(voicemail)));
    expect((await company.call('DELETE', `/employees/${employee}`)).status).toBe(204);
  });

  it('an assistant in the routing of a number is explained with its engine and its fallback', async () => {
    const colleague = await hire();
    await succeeded(put(menu(answered(transfer(colleague)))));
    const explain = async () =>
      (await company.call('GET', `/business_numbers/${numberId}/route_explanation?at=2026-01-05T12:00:00Z`)).body;
    const inMenu = { id: assistantId, name: 'Robin', digit: '2', active: true, engine: 'embedded' };
    expect(await explain()).toMatchObject({
      slot: 'incoming_call_config',
      assistants: [inMenu],
      employees: [{ id: colleague, digit: '2', would_ring: false, reason: 'invitation_pending' }],
      flow: { menu_options: [{}, { assistant: { id: assistantId }, fallback: transfer(colleague) }] },
    });
    const llm = { url: `${stack.sandbox_url}/llm/v1`, model: 'small', api_key: 'sk-1' };
    await succeeded(company.call('PUT', '/assistant_endpoint', llm));
    await succeeded(put(answered(transfer(colleague))));
    expect((await explain()).assistants).toEqual([{ ...inMenu, digit: null, engine: 'endpoint' }]);
    await succeeded(company.call('PATCH', `/assistants/${assistantId}`, { engine: 'embedded', active: false }));
    expect((await explain()).assistants).toEqual([{ ...inMenu, digit: null, active: false }]);
  });
});
