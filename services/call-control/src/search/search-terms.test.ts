import { describe, expect, it } from '@jest/globals';
import { chunksOf, wordsOf } from './search-terms.ts';

describe('the pieces of a text', () => {
  it('the pieces of a text are its sentences, where it is short', () => {
    expect(
      chunksOf('I would like to buy 12 red bicycles. Certainly, when do you need them delivered? Hello. Hi. Goodbye.'),
    ).toEqual([
      'I would like to buy 12 red bicycles.',
      'Certainly, when do you need them delivered?',
      'Hello. Hi. Goodbye.',
    ]);
  });

  it('the pieces of a text are longer in a long text, and bounded in number', () => {
    const chunks = chunksOf('This is one of very many sentences of a long talk. '.repeat(1000));
    expect(chunks).toHaveLength(40);
    expect(Math.max(...chunks.map((chunk) => chunk.length))).toBeLessThanOrEqual(400);
    expect(chunksOf('')).toEqual([]);
    expect(chunksOf('x'.repeat(5000))).toHaveLength(1);
  });
});

describe('the words of a text', () => {
  it('the words of a text are found without case and accents, each once', () => {
    expect(wordsOf('Café, CAFÉ: the 2 cafés!')).toEqual(['cafe', 'the', 'cafes']);
  });
});
