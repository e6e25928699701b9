import { describe, expect, it } from '@jest/globals';
import { applyContact, type ContactCopy, searchWords } from './contact-copy.ts';

const ane: Omit<ContactCopy, 'searchTerms'> = {
  id: 'con_1',
  companyId: 'com_1',
  phone: '+4520304050',
  phoneFormatted: '+45 20 30 40 50',
  name: 'Åne Hansen-Møller',
  email: 'ane@nordlys.example',
  companyName: null,
  note: 'Prefers (blue) bicycles',
  createdAt: new Date(0),
  updatedAt: new Date(0),
  revision: 2,
};
const finds = (query: string, contact = ane) => {
  const { searchTerms } = applyContact(undefined, contact);
  return searchWords(query).every((word) => searchTerms.some((term) => term.startsWith(word)));
};

describe('a copy of a contact', () => {
  it.each(['ane', 'åne', 'ANSEN', 'møller', '@nordlys', 'blue', '(blue)', 'cycles', 'ane bicy', 'nne'.slice(1)])(
    'a copy of a contact is found by %j',
    (query) => expect(finds(query)).toBe(true),
  );

  it.each(['hansenm', 'red', 'ane red', '.*'])('a copy of a contact is not found by %j', (query) =>
    expect(finds(query)).toBe(false),
  );

  it('a copy of a contact is found by every word of a long note', () => {
    const words = Array.from({ length: 1600 }, (_, n) => `w${n}`);
    const note = words.join(' ');
    expect(note.length).toBeLessThan(10_000);
    for (const word of [words[0]!, words[800]!, words.at(-1)!]) expect(finds(word, { ...ane, note })).toBe(true);
  });

  it('a copy of a contact is that of the newer state, whichever comes last', () => {
    const current = applyContact(undefined, ane);
    expect(applyContact(current, { ...ane, name: 'Old', revision: 1 })).toBe(current);
    expect(applyContact(current, { ...ane, name: 'New', revision: 3 })).toMatchObject({ name: 'New', revision: 3 });
  });
});
