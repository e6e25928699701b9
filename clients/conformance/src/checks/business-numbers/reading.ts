import { expect, expectThat } from '../../expectations/expect.ts';
import { exactly, listOf, listWith, someText, text } from '../../expectations/shapes.ts';
import { type Check, checksOf } from '../check.ts';
import { NUMBER } from './number.ts';

const { must } = checksOf('business-numbers');
const FIELDS = { source: 'service-api.md: Business number', profile: 'full' } as const;
const ENDPOINTS = { source: 'service-api.md: Business numbers', profile: 'full' } as const;
const RESOURCES = { source: 'decisions.md: Resources', profile: 'full' } as const;
const LEAN = exactly({ id: someText, name: text, number: someText, number_formatted: someText });

export const readingChecks: readonly Check[] = [
  must(
    1,
    'Business numbers are listed under `main_numbers`, with four fields each.',
    { ...ENDPOINTS, profile: 'api' },
    async ({ companies }) => {
      const company = await companies.shared();
      await company.get('/business_numbers').gives(200, { main_numbers: listOf(LEAN) });
    },
  ),

  must(
    2,
    'Every business number of the list can be read, with all its fields.',
    { ...ENDPOINTS, profile: 'api' },
    async ({ companies, leaveOut, target }) => {
      const company = await companies.shared();
      if (target.operator) await company.number();
      const { main_numbers: listed } = await company.get('/business_numbers').gives(200);
      if (listed.length === 0) leaveOut('the company has no business number');
      const [first] = listed;
      const read = await company.get(`/business_numbers/${first.id}`).gives(200, { ...NUMBER, ...first });
      expect(read.business_hours.length, 7, 'the number of entries in `business_hours`');
    },
  ),

  must(3, 'A new business number is in the list, as it was made.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const { id, number, number_formatted } = await company.number({ name: 'Sales' });
    const entry = exactly({ id, name: 'Sales', number, number_formatted });
    await company.get('/business_numbers').gives(200, { main_numbers: listWith(entry) });
  }),

  must(4, 'A business number is read with all fields that it was made with.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const details = {
      name: 'Support - 1',
      timezone: 'America/New_York',
      language: 'da',
      recording_enabled: false,
      wait_audio: 'music',
    };
    const { id, number } = await company.number(details);
    await company.get(`/business_numbers/${id}`).gives(200, { ...NUMBER, ...details, id, number });
  }),

  must(5, 'A business number is shown as E.164, and formatted with the same digits.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const { id, number } = await company.number();
    const { number_formatted: formatted } = await company.get(`/business_numbers/${id}`).gives(200, { number });
    const digits = formatted.replaceAll(/\D/g, '');
    expectThat(
      digits.length >= 8 && number.endsWith(digits.replace(/^0/, '')),
      `number_formatted is ${formatted} for ${number}`,
    );
  }),

  must(6, 'Nothing runs when nobody answers at a new business number.', RESOURCES, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number();
    await company.get(`/business_numbers/${id}`).gives(200, { no_answer_config: null, no_answer_timeout_secs: null });
  }),

  must(7, 'Who waits at a new business number hears a ringtone.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number();
    await company.get(`/business_numbers/${id}`).gives(200, { wait_audio: 'ringtone' });
  }),

  must(
    8,
    "A new business number takes voicemails outside business hours, with a greeting in the number's language.",
    FIELDS,
    async ({ companies }) => {
      const company = await companies.shared();
      const greetings: string[] = [];
      for (const language of ['en', 'da']) {
        const { id } = await company.number({ language });
        const { outside_business_hours_config: config } = await company
          .get(`/business_numbers/${id}`)
          .gives(200, { outside_business_hours_config: { type: 'VoicemailConfig', greeting: someText } });
        greetings.push(config.greeting);
      }
      expectThat(greetings[0] !== greetings[1], `the greeting in English is the same as in Danish: ${greetings[0]}`);
    },
  ),

  must(9, 'The registration of a business number is shown.', FIELDS, async ({ companies, operator }) => {
    const company = await companies.shared();
    const none = await company.number();
    await company
      .get(`/business_numbers/${none.id}`)
      .gives(200, { registration_status: 'not_required', registration_due_at: null });
    const due = '2031-05-06T07:08:09.000Z';
    const { id } = await company.number({ registration_status: 'pending', registration_due_at: due });
    const path = `/business_numbers/${id}`;
    await company.get(path).gives(200, { registration_status: 'pending', registration_due_at: due });
    for (const status of ['submitted', 'rejected', 'pending', 'failed', 'pending', 'submitted', 'approved']) {
      await operator.put(`${path}/registration`, { status }).gives(200);
      await company.get(path).gives(200, { registration_status: status });
    }
  }),

  must(
    10,
    'Sending texts needs the capability of the number and the flag of the company.',
    FIELDS,
    async ({ companies }) => {
      const cases: [boolean, boolean, boolean][] = [
        [true, true, true],
        [true, false, false],
        [false, true, false],
      ];
      for (const [messaging, capable, expected] of cases) {
        const company = await companies.shared({ messaging });
        const { id } = await company.number({ sms: { can_send: capable, can_receive: true } });
        const { messaging: shown } = await company.get(`/business_numbers/${id}`).gives(200);
        expect(shown?.sms?.can_send, expected, `sms.can_send with flag ${messaging} and capability ${capable}`);
      }
    },
  ),

  must(
    11,
    'A change of what a business number can do with texts is shown at once.',
    RESOURCES,
    async ({ companies, operator }) => {
      const company = await companies.shared({ messaging: true });
      const { id } = await company.number();
      const path = `/business_numbers/${id}`;
      await company.get(path).gives(200, { messaging: { sms: { can_send: true, can_receive: true } } });
      await operator.patch(path, { sms: { can_send: false, can_receive: true } }).gives(200);
      await company.get(path).gives(200, { messaging: { sms: { can_send: false, can_receive: true } } });
    },
  ),

  must(12, 'MMS is never possible.', FIELDS, async ({ companies }) => {
    const company = await companies.shared({ messaging: true });
    const { id } = await company.number();
    await company
      .get(`/business_numbers/${id}`)
      .gives(200, { messaging: { mms: { can_send: false, can_receive: false } } });
  }),
];
