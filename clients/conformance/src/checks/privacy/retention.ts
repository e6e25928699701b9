import { eventually } from '../../expectations/eventually.ts';
import { freshPhone, freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';

const { must } = checksOf('privacy');
const RETENTION = { source: 'people.md: Privacy', profile: 'full' } as const;
const SHAPES = { source: 'people.md: Shapes', profile: 'full' } as const;

const KINDS = ['recordings_days', 'voicemails_days', 'transcripts_days', 'messages_days', 'calls_days'];
const DAY_SECS = 86_400;
const all = (days: number | null): Record<string, number | null> =>
  Object.fromEntries(KINDS.map((kind) => [kind, days]));

export const retentionChecks: readonly Check[] = [
  must(1, 'A new company keeps everything, forever.', RETENTION, async ({ companies }) => {
    const company = await companies.fresh();
    await company.get('/privacy/retention').gives(200, all(null));
  }),

  must(2, 'Retention is a number of days or null for each of five kinds.', SHAPES, async ({ companies }) => {
    const company = await companies.shared();
    const mixed = {
      recordings_days: 1,
      voicemails_days: 3650,
      transcripts_days: null,
      messages_days: 30,
      calls_days: 365,
    };
    for (const retention of [mixed, all(3650), all(null)]) {
      await company.put('/privacy/retention', retention).gives(200, retention);
      await company.get('/privacy/retention').gives(200, retention);
    }
  }),

  must(
    3,
    'Another number of days than 1 to 3,650 is refused, and changes nothing.',
    RETENTION,
    async ({ companies }) => {
      const company = await companies.shared();
      await company.put('/privacy/retention', all(100)).gives(200);
      for (const kind of KINDS)
        for (const days of [0, -1, 3651, 1.5, '30', true, {}])
          await company.put('/privacy/retention', { ...all(50), [kind]: days }).isRefused(422, { field: kind });
      await company.get('/privacy/retention').gives(200, all(100));
      await company.put('/privacy/retention', all(null)).gives(200);
    },
  ),

  must(
    4,
    'Texts are gone a day after their days, and younger ones and those of others are not.',
    { ...RETENTION, alone: true },
    async ({ companies, sandbox, clock }) => {
      const [company, another] = [
        await companies.fresh({ messaging: true }),
        await companies.another({ messaging: true }),
      ];
      const [phone, numbers] = [freshPhone(), [await company.number(), await another.number()]];
      const words = freshWord();
      for (const { number } of numbers) await sandbox.text(phone, number, `Old ${words}`);
      await company.put('/privacy/retention', { ...all(null), messages_days: 2 }).gives(200);
      const path = `/inbox/${encodeURIComponent(phone)}/activity`;
      const texts = (one: typeof company, ...expected: readonly string[]) =>
        eventually('the texts are those that are kept', () =>
          one.get(path).gives(200, { items: expected.map((text) => ({ text })) }),
        );
      await texts(company, `Old ${words}`);
      await clock.advance(1.5 * DAY_SECS);
      await texts(company, `Old ${words}`);
      await sandbox.text(phone, numbers[0].number, `Young ${words}`);
      await clock.advance(1.6 * DAY_SECS);
      await texts(company, `Young ${words}`);
      await texts(another, `Old ${words}`);
      await company.get('/inbox').gives(200, { threads: [{ phone_number: phone, preview: `Young ${words}` }] });
    },
  ),
];
