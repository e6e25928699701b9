import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { embeddedEngine } from '../src/engine/embedded-engine.ts';
import { type CompanyName, companyFacts, entriesOf, readQuestionFile } from './company-facts.ts';
import { judgeQuestions, type Shares, type TestQuestion } from './judge-questions.ts';
import { startEmbedder, type TestEmbedder } from './start-embedder.ts';

/** The first use on a machine fetches 250 MB. */
const TIME_LIMIT_MS = 300_000;
const RIGHT_MIN = 0.85;
const WRONG_MAX = 0.05;

const COMPANIES: Readonly<Record<'tuned' | 'untuned', readonly CompanyName[]>> = {
  untuned: ['bicycles', 'dentist'],
  tuned: ['bicycles', 'dentist', 'vets', 'hotel', 'accountants'],
};
const models =
  process.env['MODELS_DIR'] ?? path.join(import.meta.dirname, '../../../node_modules/.cache/parley/models');

let embedder: TestEmbedder;
beforeAll(async () => {
  embedder = await startEmbedder(models);
}, TIME_LIMIT_MS);
afterAll(() => embedder?.stop());

async function judge(set: 'tuned' | 'untuned', company: CompanyName): Promise<Shares> {
  const questions = (readQuestionFile(set) as Record<CompanyName, TestQuestion[]>)[company];
  const texts = embeddedEngine.textsToEmbed(entriesOf(company), 'en');
  const vectors = await embedder.embed(texts);
  const known = new Map(texts.map((text, index) => [text, vectors[index]!]));
  const facts = companyFacts(company, { vectorOf: (text) => known.get(text) });
  return judgeQuestions(questions, facts, async (text) => (await embedder.embed([text]))[0]!);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

describe('questions of callers', () => {
  // The untuned ones were written before the engine; what of them goes wrong is not printed, so that nobody tunes for them.
  it.each(['untuned', 'tuned'] as const)(
    'questions of callers that are %s get the right answer at the first or second try',
    async (set) => {
      const results = await Promise.all(COMPANIES[set].map((company) => judge(set, company)));
      const count = results.reduce((sum, result) => sum + result.count, 0);
      const mean = (of: 'first' | 'right' | 'wrong' | 'back') =>
        results.reduce((sum, result) => sum + result[of] * result.count, 0) / count;
      const notRight = results.flatMap((result) => result.notRight);
      console.log(
        `${count} ${set} questions: right at once ${percent(mean('first'))}, at the first or second try ${percent(mean('right'))}, ` +
          `wrong ${percent(mean('wrong'))}, asked back or not known ${percent(mean('back'))}` +
          (set === 'tuned' ? notRight.map((told) => `\n  ${told}`).join('') : ''),
      );
      expect(count).toBeGreaterThan(60);
      expect(mean('right')).toBeGreaterThanOrEqual(RIGHT_MIN);
      expect(mean('wrong')).toBeLessThanOrEqual(WRONG_MAX);
    },
    TIME_LIMIT_MS,
  );
});
