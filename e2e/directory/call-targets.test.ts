import { beforeAll, describe, expect, it } from '@jest/globals';
import { createNumber } from '../business-numbers/create-number.ts';
import { type Company, createTestCompany, sandbox, sharedStack, succeeded } from '../support/api.ts';

const stack = sharedStack();
let company: Company;
let people = 0;

beforeAll(async () => {
  company = await createTestCompany();
});

const hire = async (online = false): Promise<string> => {
  const email = `target.${process.pid}.${(people += 1)}@example.com`;
  const { body } = await succeeded(company.call('POST', '/employees', { name: 'Tara', email }));
  if (online) await setOnline(body.id, true);
  return body.id;
};
const setOnline = (id: string, online: boolean) => succeeded(sandbox(stack, 'PUT', `/phones/${id}`, { online }));
const transferTo = (...ids: string[]) => ({ type: 'TransferConfig', employee_ids: ids });
const number = async (name: string, incoming: object) => {
  const { body } = await createNumber(company, { name, incoming_call_config: incoming });
  return body as { id: string; name: string };
};
const assign = (id: string, slot: string, config: object) =>
  company.call('PUT', `/business_numbers/${id}/${slot}`, config);
const atRisk = async (id: string): Promise<string[]> => {
  const { body } = await company.call('GET', `/employees/${id}/do_not_disturb`);
  return body.at_risk_main_numbers.map(({ name }: { name: string }) => name);
};

describe('an employee who is a call target', () => {
  it('an employee who is a call target cannot be deleted, whichever slot or menu branch it is, and nothing changes', async () => {
    const employee = await hire();
    const direct = await number('Direct', transferTo(employee));
    const menu = await number('Menu', {
      type: 'PhoneMenuConfig',
      welcome: 'Hello',
      menu_options: [
        { digit: '1', action_type: 'VoicemailConfig', prompt: 'Speak' },
        { digit: '2', action_type: 'TransferConfig', employee_ids: [employee] },
      ],
    });
    const reply = await company.call('DELETE', `/employees/${employee}`);
    expect(reply.status).toBe(409);
    expect(reply.body).toEqual({
      error: 'employee_in_use',
      code: 'employee_in_use',
      main_numbers: [
        { id: direct.id, name: 'Direct' },
        { id: menu.id, name: 'Menu' },
      ],
    });
    expect((await company.call('GET', `/employees/${employee}`)).status).toBe(200);

    for (const { id } of [direct, menu])
      await assign(id, 'incoming_call_config', { type: 'RejectConfig', message: 'No' });
    await assign(direct.id, 'no_answer_config', { ...transferTo(employee), timeout_secs: 30 });
    expect((await company.call('DELETE', `/employees/${employee}`)).body.main_numbers).toEqual([
      { id: direct.id, name: 'Direct' },
    ]);
    await assign(direct.id, 'no_answer_config', { type: null });
    expect((await company.call('DELETE', `/employees/${employee}`)).status).toBe(204);
    expect((await assign(direct.id, 'incoming_call_config', transferTo(employee))).status).toBe(422);
  });

  it('an employee who is a call target is never left behind by a deletion and an assignment at the same time', async () => {
    const line = await number('Race', transferTo(company.owner.id));
    for (let round = 0; round < 10; round += 1) {
      const employee = await hire();
      const [assigned, deleted] = await Promise.all([
        assign(line.id, 'incoming_call_config', transferTo(employee)),
        company.call('DELETE', `/employees/${employee}`),
      ]);
      const { body } = await company.call('GET', `/business_numbers/${line.id}`);
      const exists = (await company.call('GET', `/employees/${employee}`)).status === 200;
      const pointsAtThem = body.incoming_call_config.employee_ids.includes(employee);
      expect({ round, dangling: pointsAtThem && !exists }).toEqual({ round, dangling: false });
      expect([assigned.status, deleted.status]).not.toEqual([200, 204]);
      expect([204, 409]).toContain(deleted.status);
      await assign(line.id, 'incoming_call_config', transferTo(company.owner.id));
    }
  });
});

describe('the numbers at risk', () => {
  it('the numbers at risk are those without another available employee', async () => {
    const [alone, colleague] = [await hire(true), await hire(true)];
    await number('Alone', transferTo(alone));
    await number('Shared', transferTo(alone, colleague));
    await number('Menu', {
      type: 'PhoneMenuConfig',
      welcome: 'Hello',
      menu_options: [
        { digit: '1', action_type: 'TransferConfig', employee_ids: [alone] },
        { digit: '2', action_type: 'TransferConfig', employee_ids: [colleague] },
      ],
    });
    const after = await number('After hours', transferTo(company.owner.id));
    await assign(after.id, 'outside_business_hours_config', transferTo(alone));
    expect(await atRisk(alone)).toEqual(['Alone']);
    expect(await atRisk(colleague)).toEqual([]);

    await company.call('PUT', `/employees/${colleague}/do_not_disturb`, { enabled: true });
    expect(await atRisk(alone)).toEqual(['Alone', 'Shared', 'Menu']);
    await company.call('PUT', `/employees/${colleague}/do_not_disturb`, { enabled: false });
    expect(await atRisk(alone)).toEqual(['Alone']);
    await setOnline(colleague, false);
    expect(await atRisk(alone)).toEqual(['Alone', 'Shared', 'Menu']);
  });
});
