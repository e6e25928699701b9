import { exactly } from '../../expectations/shapes.ts';
import { type Check, checksOf } from '../check.ts';
import { NUMBER } from './number.ts';

const { must } = checksOf('business-numbers');
const FIELDS = { source: 'service-api.md: Business number', profile: 'full' } as const;
const ENDPOINTS = { source: 'service-api.md: Business numbers', profile: 'full' } as const;
const BODIES = { source: 'decisions.md: Bodies and statuses', profile: 'full' } as const;

const NAME_CHARACTERS_MAX = 128;

export const changeChecks: readonly Check[] = [
  must(
    30,
    'Name, time zone, language and recording of a business number can be changed.',
    ENDPOINTS,
    async (context) => {
      const company = await context.companies.shared();
      const { id, number } = await company.number();
      const change = { name: 'Front desk', timezone: 'Europe/Berlin', language: 'da', recording_enabled: false };
      const changed = await company
        .patch(`/business_numbers/${id}`, change)
        .gives(200, { ...NUMBER, ...change, id, number });
      await company.get(`/business_numbers/${id}`).gives(200, exactly(changed));
    },
  ),

  must(31, 'A change of a business number keeps what it leaves out.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number({ name: 'Before', timezone: 'Europe/Paris', recording_enabled: true });
    const before = await company.get(`/business_numbers/${id}`).gives(200);
    await company.patch(`/business_numbers/${id}`, { name: 'After' }).gives(200, { ...kept(before), name: 'After' });
    await company.patch(`/business_numbers/${id}`, {}).gives(200, { ...kept(before), name: 'After' });
  }),

  must(
    32,
    'The audio while waiting is changed to music and back.',
    { ...FIELDS, source: 'decisions.md: Resources' },
    async ({ companies }) => {
      const company = await companies.shared();
      const { id } = await company.number();
      for (const wait_audio of ['music', 'ringtone'])
        await company.patch(`/business_numbers/${id}`, { wait_audio }).gives(200, { wait_audio });
      await company.patch(`/business_numbers/${id}`, { wait_audio: 'silence' }).isRefused(422, { field: 'wait_audio' });
      await company.get(`/business_numbers/${id}`).gives(200, { wait_audio: 'ringtone' });
    },
  ),

  must(33, 'A name may have all allowed characters, and 128 of them.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number();
    for (const name of ['AZ az 09 -_~!.+', 'n'.repeat(NAME_CHARACTERS_MAX)])
      await company.patch(`/business_numbers/${id}`, { name }).gives(200, { name });
  }),

  must(34, 'A name of more than 128 characters is refused.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number({ name: 'Short' });
    await company
      .patch(`/business_numbers/${id}`, { name: 'n'.repeat(NAME_CHARACTERS_MAX + 1) })
      .isRefused(422, { field: 'name' });
    await company.get(`/business_numbers/${id}`).gives(200, { name: 'Short' });
  }),

  must(35, 'A name with other characters is refused, accents too.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number({ name: 'Plain' });
    for (const name of ['Café', 'Kundeservice Ø', 'Sales/Support', '<b>', 'Ring 🙂', 'a@b', "Bob's", 'two\nlines'])
      await company.patch(`/business_numbers/${id}`, { name }).isRefused(422, { field: 'name' });
    await company.get(`/business_numbers/${id}`).gives(200, { name: 'Plain' });
  }),

  must(36, 'A time zone that does not exist is refused.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number({ timezone: 'Europe/Copenhagen' });
    for (const timezone of ['Mars/Olympus', 'Europe/Nowhere', ''])
      await company.patch(`/business_numbers/${id}`, { timezone }).isRefused(422, { field: 'timezone' });
    await company.get(`/business_numbers/${id}`).gives(200, { timezone: 'Europe/Copenhagen' });
  }),

  must(37, 'A value of the wrong type is refused, with the field named.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number();
    const wrong = { name: { $ne: null }, timezone: 1, language: ['da'], recording_enabled: 'often', wait_audio: {} };
    for (const [field, value] of Object.entries(wrong))
      await company.patch(`/business_numbers/${id}`, { [field]: value }).isRefused(422, { field });
  }),

  must(38, 'A change with one wrong field changes no other field.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number({ name: 'Before' });
    await company
      .patch(`/business_numbers/${id}`, { name: 'After', timezone: 'Mars/Olympus' })
      .isRefused(422, { field: 'timezone' });
    await company.get(`/business_numbers/${id}`).gives(200, { name: 'Before' });
  }),

  must(
    39,
    'A change leaves routing, hours and everything that is not for it as they are.',
    ENDPOINTS,
    async (context) => {
      const company = await context.companies.shared();
      const { id } = await company.number();
      const before = await company.get(`/business_numbers/${id}`).gives(200);
      const change = {
        id: 'num_other',
        number: '+4511111111',
        incoming_call_config: { type: 'RejectConfig', message: 'No' },
        outside_business_hours_config: null,
        no_answer_timeout_secs: 30,
        business_hours: [{ day_of_week: 0, open: false }],
        registration_status: 'approved',
        messaging: { mms: { can_send: true, can_receive: true } },
      };
      await company.patch(`/business_numbers/${id}`, change).gives(200, kept(before));
      await company.get(`/business_numbers/${id}`).gives(200, kept(before));
    },
  ),
];

/** Without the addresses of generated audio, which come later and may be signed for a time. */
function kept(number: any): object {
  const { outside_business_hours_config: outside, updated_at: _, ...others } = number;
  const { greeting_audio_url: __, ...config } = outside;
  return { ...others, outside_business_hours_config: config };
}
