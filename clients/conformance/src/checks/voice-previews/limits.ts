import { freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';

const { must } = checksOf('voice-previews');
const LIMITS = { source: 'service-api.md: Limits', profile: 'full' } as const;
const PREVIEWS_PER_MINUTE = 30;
const BODY = { kind: 'welcome', text: 'Hello.' };

export const limitChecks: readonly Check[] = [
  must(
    20,
    'A company has 30 voice previews a minute, of all its business numbers together, and refused ones do not count.',
    { ...LIMITS, alone: true },
    async ({ companies, clock }) => {
      const [company, another] = [await companies.fresh(), await companies.shared()];
      const [first, second] = [await company.number(), await company.number()];
      const preview = ({ id }: { id: string }, body: object = BODY) =>
        company.post(`/business_numbers/${id}/voice_previews`, body);
      for (let count = 0; count < 5; count++) await preview(first, { kind: 'music', text: 'x' }).isRefused(422);
      for (let count = 0; count < PREVIEWS_PER_MINUTE; count++) await preview(count % 2 ? first : second).gives(201);
      await preview(first).isRefused(429);
      await preview(second).isRefused(429);
      await preview(first, { kind: 'welcome', text: ' ' }).isRefused(422, { code: 'blank_text' });
      const { id } = await another.number();
      await another.post(`/business_numbers/${id}/voice_previews`, BODY).gives(201);
      await clock.advance(61);
      await preview(first).gives(201);
    },
  ),

  must(
    21,
    'A voice preview that the speech synthesis does not make is answered with 500.',
    { ...LIMITS, source: 'service-api.md: Status codes', alone: true },
    async ({ companies, faults }) => {
      const company = await companies.shared();
      const { id } = await company.number();
      await faults.set({ speech: 'fail' });
      await company
        .post(`/business_numbers/${id}/voice_previews`, { kind: 'welcome', text: `Hello ${freshWord()}.` })
        .isRefused(500);
    },
  ),
];
