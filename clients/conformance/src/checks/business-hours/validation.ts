import { exactly } from '../../expectations/shapes.ts';
import { type Check, checksOf } from '../check.ts';
import { isRefusedIn } from '../call-flows/flow.ts';
import { everyDay, numberOf } from './hours.ts';

const { must } = checksOf('business-hours');
const FIELDS = { source: 'service-api.md: Business number', profile: 'full' } as const;
const RESOURCES = { source: 'decisions.md: Resources', profile: 'full' } as const;
const BODIES = { source: 'decisions.md: Bodies and statuses', profile: 'full' } as const;

const day = (details: object) => ({ day_of_week: 0, open: true, opening_at: '09:00', closing_at: '17:00', ...details });

export const validationChecks: readonly Check[] = [
  must(20, 'A day that is there twice is refused.', RESOURCES, async ({ companies }) => {
    const { put } = await numberOf(await companies.shared());
    await isRefusedIn(put([day({}), day({ closing_at: '18:00' })]), 'business_hours');
  }),

  must(21, 'No entry, and more than seven, are refused.', RESOURCES, async ({ companies }) => {
    const { put } = await numberOf(await companies.shared());
    await isRefusedIn(put([]), 'business_hours');
    await isRefusedIn(put([...everyDay(day({})), day({ day_of_week: 7 })]), 'business_hours');
  }),

  must(22, 'A day that is not 0 to 6 is refused.', FIELDS, async ({ companies }) => {
    const { put } = await numberOf(await companies.shared());
    for (const day_of_week of [-1, 7, 1.5, 'monday', null, undefined])
      await put([day({ day_of_week })]).isRefused(422, { field: 'business_hours[0].day_of_week' });
  }),

  must(23, 'A time that is not HH:MM is refused.', FIELDS, async ({ companies }) => {
    const { put } = await numberOf(await companies.shared());
    for (const field of ['opening_at', 'closing_at'])
      for (const time of ['noon', '25:00', '12:60', '0930', '12:3', '09:00:00', ' 09:00', '', 9, {}])
        await isRefusedIn(put([day({ [field]: time })]), `business_hours[0].${field}`);
  }),

  must(24, 'No day opens at 24:00, nor closes later than that.', RESOURCES, async ({ companies }) => {
    const { put } = await numberOf(await companies.shared());
    await isRefusedIn(put([day({ opening_at: '24:00', closing_at: '24:00' })]), 'business_hours');
    await isRefusedIn(put([day({ closing_at: '24:01' })]), 'business_hours');
  }),

  must(25, 'An open day that closes before it opens, or then, is refused.', RESOURCES, async ({ companies }) => {
    const { put } = await numberOf(await companies.shared());
    await isRefusedIn(put([day({ opening_at: '17:00', closing_at: '09:00' })]), 'business_hours');
    await isRefusedIn(put([day({ opening_at: '09:00', closing_at: '09:00' })]), 'business_hours');
    // The time that is left out is 17:00.
    await isRefusedIn(put([{ day_of_week: 0, open: true, opening_at: '18:00' }]), 'business_hours');
  }),

  must(26, 'Values of the wrong type are refused.', BODIES, async ({ companies }) => {
    const { put } = await numberOf(await companies.shared());
    await isRefusedIn(put('always'), 'business_hours');
    await isRefusedIn(put([day({ open: 'yes' })]), 'business_hours[0].open');
    await isRefusedIn(put(['monday']), 'business_hours[0]');
  }),

  must(27, 'With one wrong day, neither hours nor the flow are changed.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    const { path, before, put } = await numberOf(company);
    const hours = [day({ closing_at: '20:00' }), day({ day_of_week: 1, opening_at: '26:00' })];
    await isRefusedIn(put(hours, { type: 'RejectConfig', message: 'Closed.' }), 'business_hours[1].opening_at');
    await company.get(path).gives(200, {
      business_hours: before.map((entry: object) => exactly(entry)),
      outside_business_hours_config: { type: 'VoicemailConfig' },
    });
  }),

  must(28, 'With a wrong flow, the hours are not changed.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    const { path, before, put } = await numberOf(company);
    await put([day({ closing_at: '20:00' })], { type: 'VoicemailConfig' }).isRefused(422, { field: 'greeting' });
    await company.get(path).gives(200, { business_hours: before });
  }),
];
