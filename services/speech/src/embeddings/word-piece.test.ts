import { expect, it } from '@jest/globals';
import { wordPiece } from './word-piece.ts';

const pieces = ['[UNK]', 'hello', 'cafe', 'play', '##ing', '##s', ',', '!', '$', '5', '中', '文'];
const tokenize = wordPiece({ model: { vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])) } });

it.each([
  ['Hello, HELLO!', 'hello , hello !'],
  ['Café', 'cafe'],
  ['playing plays', 'play ##ing play ##s'],
  ['$5', '$ 5'],
  ['中文', '中 文'],
  ['xylophone', '[UNK]'],
  ['hel\u0000lo', 'hello'],
  ['', ''],
])('the text "%s" is cut into %s', (text, expected) => {
  expect(
    tokenize(text)
      .map((id) => pieces[id])
      .join(' '),
  ).toBe(expected);
});
