import { expect, it } from '@jest/globals';
import { companyFacts } from '../../test/company-facts.ts';
import { fixedSentences, likelySentences } from './spoken-beforehand.ts';
import { LANGUAGES } from '../words/languages.ts';

it('of the fixed sentences, those that most calls need come first, and variants after all first ones', () => {
  for (const language of LANGUAGES) {
    const keys = fixedSentences(language).map(({ key }) => key.slice(language.length + 1));
    expect(keys.slice(0, 8).toSorted()).toEqual(
      ['anything_else', 'goodbye', 'hand_over', 'how_can_i_help', 'not_understood', 'silence_goodbye', 'still_there']
        .concat('unknown_answer')
        .map((name) => `${name}.1`),
    );
    const variants = keys.map((key) => Number(key.split('.')[1]));
    expect(variants).toEqual(variants.toSorted((a, b) => a - b));
    expect(new Set(keys).size).toBe(keys.length);
  }
});

it('likely sentences are those of the company, whoever calls', () => {
  const facts = companyFacts('dentist');
  const named = { ...facts, caller: { ...facts.caller, name: 'Jane Hansen' } };
  const likely = likelySentences(named);
  expect(likely).toEqual(likelySentences(facts));
  expect(likely.slice(0, 2)).toEqual([facts.assistant.disclosure, facts.assistant.greeting]);
  expect(likely.join(' ')).not.toContain('Jane');
});
