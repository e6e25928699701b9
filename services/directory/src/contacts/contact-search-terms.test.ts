import { describe, expect, it } from '@jest/globals';
import { matchesSearch } from '../newest-first/newest-first.ts';
import { searchTermsOf, searchWords } from './contact.ts';

const terms = searchTermsOf({
  name: 'Åse Jensen O’Grady Bjørnsværd',
  companyName: 'Nordlys ApS',
  email: 'aase@nordlys.example',
  phone: '+4520304050',
});
const finds = (query: string) => matchesSearch(terms, searchWords(query));

describe('a contact', () => {
  it.each([
    'ase',
    'ÅSE',
    'jens',
    'ensen nord',
    "o'grady",
    'ogra',
    'BJØRN',
    'bjornsvaerd',
    'aase@',
    'lys.example',
    '+45 20 30',
    '20304050',
    '020304050',
    '(30) 40-50',
  ])('a contact is found by %s', (query) => expect(finds(query)).toBe(true));

  it.each(['', ' ', '+', 'jensen sydlys', '999', '.*', '^'])('a contact is not found by %j', (query) =>
    expect(finds(query)).toBe(false),
  );

  it('a contact has a bounded number of terms', () => {
    const long = { name: 'n'.repeat(255), companyName: 'cd '.repeat(85), email: 'e'.repeat(320), phone: '+4520304050' };
    expect(searchTermsOf(long).length).toBeLessThanOrEqual(500);
  });
});
