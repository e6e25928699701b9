import { expect, it } from '@jest/globals';
import { matchOf } from './search-match.ts';

const call = {
  summary: 'The brake squeals.',
  transcription: null,
  transcription_segments: [
    { speaker: 'Bo', text: 'Fjordlyst Cykler, you are speaking with Bo.' },
    { speaker: '+4520304011', text: 'Hello, I collected my cargo bike on Tuesday.' },
  ],
};

it.each([
  ['cargo bike', { where: 'said', speaker: '+4520304011', hit: 'cargo bike' }],
  ['a red CARGO', { where: 'said', hit: 'cargo' }],
  ['squeals', { where: 'summary', before: 'The brake ', hit: 'squeals', after: '.' }],
])('the query "%s" is found where it was said or written', (search, expected) => {
  expect(matchOf(call, search)).toMatchObject(expected);
});

it('a call has no place for what was found by its meaning', () => {
  expect(matchOf(call, 'repair')).toBeUndefined();
  expect(matchOf({ ...call, transcription_segments: null, summary: null }, 'brake')).toBeUndefined();
});
