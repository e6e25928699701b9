import { freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { numberOf } from './number.ts';

const { must } = checksOf('texting');
const FIELDS = { source: 'service-api.md: Texting settings (per business number)', profile: 'full' } as const;
const ENDPOINTS = { source: 'service-api.md: Business numbers', profile: 'full' } as const;
const STATUSES = { source: 'service-api.md: Status codes', profile: 'full' } as const;
const BODIES = { source: 'decisions.md: Bodies and statuses', profile: 'full' } as const;
const TEXTING = { messaging: true };
const TEXT_CHARACTERS_MAX = 10_000;
const DEFAULTS = { auto_reply_enabled: false, auto_reply_text: null, auto_reply_cooldown_minutes: 1440 };

export const settingsChecks: readonly Check[] = [
  must(1, 'The texting settings of a new business number are the defaults.', FIELDS, async ({ companies }) => {
    const company = await companies.shared(TEXTING);
    const { settings } = await numberOf(company);
    await company.get(settings).gives(200, DEFAULTS);
    await company.get(settings).gives(200, DEFAULTS);
  }),

  must(2, 'All texting settings are changed at once, and read as they were set.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared(TEXTING);
    const { settings, patch } = await numberOf(company);
    const all = { auto_reply_enabled: true, auto_reply_text: 'Back at nine. 🙂', auto_reply_cooldown_minutes: 90 };
    await patch(all).gives(200, all);
    await company.get(settings).gives(200, all);
  }),

  must(3, 'Texting settings that are left out stay as they are.', ENDPOINTS, async ({ companies }) => {
    const { patch } = await numberOf(await companies.shared(TEXTING));
    await patch({ auto_reply_text: 'Later.' }).gives(200, { ...DEFAULTS, auto_reply_text: 'Later.' });
    await patch({ auto_reply_cooldown_minutes: 60 }).gives(200, {
      auto_reply_enabled: false,
      auto_reply_text: 'Later.',
      auto_reply_cooldown_minutes: 60,
    });
    await patch({ auto_reply_enabled: true }).gives(200, {
      auto_reply_enabled: true,
      auto_reply_text: 'Later.',
      auto_reply_cooldown_minutes: 60,
    });
  }),

  must(4, 'Auto-reply is not enabled without a text that is not blank.', FIELDS, async ({ companies }) => {
    const company = await companies.shared(TEXTING);
    const { settings, patch } = await numberOf(company);
    for (const text of [undefined, null, '', '  \n'])
      await patch({ auto_reply_enabled: true, auto_reply_text: text }).isRefused(422, { field: 'auto_reply_text' });
    await company.get(settings).gives(200, DEFAULTS);
  }),

  must(5, 'The text of an enabled auto-reply cannot be taken away.', FIELDS, async ({ companies }) => {
    const company = await companies.shared(TEXTING);
    const { settings, patch } = await numberOf(company);
    await patch({ auto_reply_enabled: true, auto_reply_text: 'Closed.' }).gives(200);
    for (const text of [null, '', ' '])
      await patch({ auto_reply_text: text }).isRefused(422, { field: 'auto_reply_text' });
    await company.get(settings).gives(200, { auto_reply_enabled: true, auto_reply_text: 'Closed.' });
    await patch({ auto_reply_enabled: false, auto_reply_text: null }).gives(200, { auto_reply_text: null });
  }),

  must(6, 'An auto-reply has up to 10,000 characters.', FIELDS, async ({ companies }) => {
    const { patch } = await numberOf(await companies.shared(TEXTING));
    const text = 't'.repeat(TEXT_CHARACTERS_MAX);
    await patch({ auto_reply_text: text }).gives(200, { auto_reply_text: text });
    await patch({ auto_reply_text: `${text}t` }).isRefused(422, { field: 'auto_reply_text' });
  }),

  must(7, 'The cooldown is 60 to 43,200 whole minutes.', FIELDS, async ({ companies }) => {
    const { patch } = await numberOf(await companies.shared(TEXTING));
    for (const minutes of [60, 43_200])
      await patch({ auto_reply_cooldown_minutes: minutes }).gives(200, { auto_reply_cooldown_minutes: minutes });
    for (const minutes of [59, 0, -60, 43_201, 60.5])
      await patch({ auto_reply_cooldown_minutes: minutes }).isRefused(422, { field: 'auto_reply_cooldown_minutes' });
  }),

  must(8, 'Texting settings of the wrong type are refused.', BODIES, async ({ companies }) => {
    const { patch } = await numberOf(await companies.shared(TEXTING));
    const wrong = { auto_reply_enabled: 'always', auto_reply_text: { $ne: '' }, auto_reply_cooldown_minutes: [60] };
    for (const [field, value] of Object.entries(wrong)) await patch({ [field]: value }).isRefused(422, { field });
  }),

  must(9, 'Without texting there are no texting settings.', STATUSES, async ({ companies }) => {
    const company = await companies.shared({ messaging: false });
    const { settings, patch } = await numberOf(company);
    await company.get(settings).isRefused(404);
    await patch({ auto_reply_text: 'Closed.' }).isRefused(404);
  }),

  must(10, 'The texting settings of unknown and foreign business numbers are not found.', STATUSES, async (context) => {
    const [company, another] = [await context.companies.shared(TEXTING), await context.companies.another(TEXTING)];
    const { settings } = await numberOf(company);
    for (const path of [settings, `/business_numbers/num_${freshWord()}/texting_settings`]) {
      await another.get(path).isNotFound();
      await another.patch(path, { auto_reply_text: 'Mine.' }).isNotFound();
    }
    await company.get(settings).gives(200, DEFAULTS);
  }),

  must(
    11,
    'Texting settings need a credential.',
    { ...STATUSES, source: 'service-api.md: API keys' },
    async (context) => {
      const company = await context.companies.shared(TEXTING);
      const { settings } = await numberOf(company);
      await company.withHeaders({}).get(settings).isRefused(401);
      await company.withHeaders({}).patch(settings, { auto_reply_text: 'Hi' }).isRefused(401);
    },
  ),

  must(
    12,
    'A member reads the texting settings and does not change them.',
    { ...STATUSES, source: 'people.md: Roles' },
    async (context) => {
      const company = await context.companies.shared(TEXTING);
      const { settings } = await numberOf(company);
      const member = await company.hire({ role: 'member' });
      await member.get(settings).gives(200, DEFAULTS);
      await member.patch(settings, { auto_reply_text: 'Mine.' }).isRefused(403, { code: 'forbidden' });
      await company.get(settings).gives(200, DEFAULTS);
    },
  ),
];
