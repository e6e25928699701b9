import { eventually } from '../../expectations/eventually.ts';
import { expect } from '../../expectations/expect.ts';
import { nullable, text } from '../../expectations/shapes.ts';
import { prepared } from '../../world/prepared.ts';
import { freshBusinessNumber, freshPhone } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';

const { must } = checksOf('operator');
const OPERATOR = { source: 'local-stack.md: Operator API', profile: 'full' } as const;
const DEFAULTS = { source: 'decisions.md: Resources', profile: 'full' } as const;

const number = (changes: object = {}) => ({
  number: freshBusinessNumber(),
  name: 'Main line',
  timezone: 'Europe/Copenhagen',
  language: 'da',
  ...changes,
});
const CAN = { can_send: true, can_receive: true };
const CANNOT = { can_send: false, can_receive: false };

export const numberChecks: readonly Check[] = [
  must(40, 'A new number calls the owner, is recorded, and has the usual hours.', DEFAULTS, async (context) => {
    const company = await context.companies.shared({ messaging: true });
    const sent = number();
    const { id } = await context.operator.post(`/companies/${company.id}/business_numbers`, sent).gives(201, sent);
    const whole = await company.get(`/business_numbers/${id}`).gives(200, {
      ...sent,
      number_formatted: text,
      recording_enabled: true,
      incoming_call_config: { type: 'TransferConfig', employee_ids: [company.owner.id] },
      outside_business_hours_config: { type: 'VoicemailConfig', greeting: text },
      no_answer_config: null,
      no_answer_timeout_secs: null,
      wait_audio: 'ringtone',
      registration_status: text,
      registration_due_at: nullable(text),
      messaging: { sms: CAN, mms: CANNOT },
    });
    const hours = (day: number) => ({
      day_of_week: day,
      day_name: text,
      open: day < 5,
      ...(day < 5 && { opening_at: '09:00', closing_at: '17:00' }),
    });
    expect(whole.business_hours, [0, 1, 2, 3, 4, 5, 6].map(hours), 'the hours');
  }),

  must(41, 'A number is made as the operator says.', OPERATOR, async ({ companies, operator }) => {
    const company = await companies.shared({ messaging: true });
    const details = {
      recording_enabled: false,
      wait_audio: 'music',
      registration_status: 'pending',
      registration_due_at: '2099-01-01T00:00:00.000Z',
      incoming_call_config: { type: 'RejectConfig', message: 'We have moved.' },
    };
    const sent = number({ ...details, sms: { can_send: false, can_receive: true } });
    await operator.post(`/companies/${company.id}/business_numbers`, sent).gives(201, {
      ...details,
      messaging: { sms: { can_send: false, can_receive: true }, mms: CANNOT },
    });
  }),

  must(
    42,
    'A number that is none, or has no name, zone or language, is refused.',
    OPERATOR,
    async ({ companies, operator }) => {
      const company = await companies.shared();
      const path = `/companies/${company.id}/business_numbers`;
      for (const [field, values] of [
        ['number', [undefined, 'hello', '+45', 17]],
        ['name', [undefined, 'Kø', 'n'.repeat(129)]],
        ['timezone', [undefined, 'Nowhere/Land', 17]],
        ['language', [undefined, 17]],
        ['wait_audio', ['silence']],
      ] as const)
        for (const value of values) await operator.post(path, number({ [field]: value })).isRefused(422, { field });
    },
  ),

  must(43, 'The operator decides what a number can do with texts.', OPERATOR, async ({ companies, operator }) => {
    const company = await companies.shared({ messaging: true });
    const { id } = await company.number();
    const sms = { can_send: false, can_receive: true };
    await operator
      .patch(`/business_numbers/${id}`, { sms, wait_audio: 'music' })
      .gives(200, { wait_audio: 'music', messaging: { sms } });
    await company.get(`/business_numbers/${id}`).gives(200, { messaging: { sms } });
    const body = { to: freshPhone(), text: 'Hello', idempotency_key: 'one' };
    await company.post(`/business_numbers/${id}/messages`, body).isRefused(422, { code: 'sending_unavailable' });
    await operator.patch(`/business_numbers/${id}`, { sms: CAN }).gives(200, { messaging: { sms: CAN } });
    await company.post(`/business_numbers/${id}/messages`, body).gives(201);
  }),

  must(44, 'An inactive number takes no calls and no texts.', OPERATOR, async ({ companies, operator, sandbox }) => {
    const company = await companies.shared({ messaging: true });
    const { id, number: called } = await company.number();
    await operator.patch(`/business_numbers/${id}`, { active: false }).gives(200);
    const from = freshPhone();
    const message = { from, to: called, text: 'Hello' };
    await sandbox.post('/messages', message).gives(201, { callback_status: 404 });
    const leg = await sandbox.call(from, called);
    await leg.is('ended');
    await company.get(`/inbox/${encodeURIComponent(from)}/activity`).gives(200, { items: [] });
    await operator.patch(`/business_numbers/${id}`, { active: true }).gives(200);
    await sandbox.post('/messages', message).gives(201, { callback_status: 200 });
    await eventually('the text is there', () =>
      company
        .get(`/inbox/${encodeURIComponent(from)}/activity`)
        .gives(200, { items: [{ type: 'message', text: 'Hello' }] }),
    );
  }),

  must(45, 'A registration takes the ways that there are, and no other.', DEFAULTS, async ({ companies, operator }) => {
    const company = await companies.shared();
    const { id } = await company.number({ registration_status: 'pending' });
    const put = (status: string) =>
      operator.put(`/business_numbers/${id}/registration`, { status, reason: 'No reason.' });
    const refused = async (...statuses: readonly string[]) => {
      const { registration_status: now } = await prepared(company.get(`/business_numbers/${id}`), 200);
      for (const status of statuses) await put(status).isRefused(422);
      await company.get(`/business_numbers/${id}`).gives(200, { registration_status: now });
    };
    const moves = async (...statuses: readonly string[]) => {
      for (const status of statuses) await put(status).gives(200, { registration_status: status });
    };
    await refused('approved', 'rejected', 'unheard_of');
    await moves('failed');
    await refused('submitted', 'approved', 'rejected');
    await moves('pending', 'submitted');
    await refused('pending', 'failed');
    await moves('rejected', 'pending', 'submitted', 'approved');
    await refused('pending', 'submitted', 'rejected', 'failed');
  }),
];
