import { expect, it } from '@jest/globals';
import { withoutSalutation } from './salutation.ts';

it.each([
  ['en', 'Good morning, is there somewhere I could leave my car?', 'is there somewhere I could leave my car?'],
  ['en', 'Hi there. Hello, do you open at nine?', 'do you open at nine?'],
  ['en', 'Good morning.', 'Good morning.'],
  ['en', 'Hello, Anna.', 'Hello, Anna.'],
  ['en', 'There is a hole in my tyre.', 'There is a hole in my tyre.'],
  ['en', 'High time I called you.', 'High time I called you.'],
  ['da', 'Halløj, hvornår har I åbent?', 'hvornår har I åbent?'],
  ['da', 'God morgen, hvor kan jeg parkere?', 'hvor kan jeg parkere?'],
  ['de', 'Grüß Gott, wann haben Sie geöffnet?', 'wann haben Sie geöffnet?'],
  ['de', 'Guten Tag!', 'Guten Tag!'],
] as const)('a salutation is no part of what is asked: %s, %s', (language, said, expected) => {
  expect(withoutSalutation(said, language)).toBe(expected);
});
