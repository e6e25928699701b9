import { type Check, checksOf } from '../check.ts';
import { sender, TEXTING } from './message.ts';

const { must } = checksOf('messages');
const LIMITS = { source: 'service-api.md: Limits', profile: 'full' } as const;
const TEXTS_PER_MINUTE = 30;

export const limitChecks: readonly Check[] = [
  must(
    110,
    'A business number sends 30 texts in a minute; more are answered with 429, to be sent a minute later.',
    { ...LIMITS, alone: true },
    async ({ companies, clock }) => {
      const company = await companies.shared(TEXTING);
      const [first, second] = [await sender(company), await sender(company)];
      for (let count = 0; count < TEXTS_PER_MINUTE; count++) await first.send().gives(201);
      await first.send().givesHeaders(429, { 'retry-after': '60' });
      await first.send().isRefused(429);
      await second.send().gives(201);
      await clock.advance(61);
      await first.send().gives(201);
    },
  ),
];
