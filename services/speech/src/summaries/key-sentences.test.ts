import { describe, expect, it } from '@jest/globals';
import { keySentences, rankByLinks, sentencesOf } from './key-sentences.ts';

describe('key sentences', () => {
  const sentences = [
    'Hello and good morning to you.',
    'The parcel with the red lamp is late.',
    'Where is the parcel with the red lamp now?',
    'The parcel with the lamp comes on Friday.',
    'My cat sleeps under an old chair.',
    'Yes.',
  ];

  it('key sentences are the most central ones, in their order', () => {
    const places = keySentences({ sentences, language: 'en', count: 2 });
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places.every((place) => [1, 2, 3].includes(place))).toBe(true);
  });

  it('key sentences do not repeat content', () => {
    const vectors = [
      [1, 0],
      [1, 0],
      [1, 0],
      [0.6, 0.8],
      [0.5, 0.86],
    ].map((values) => Float32Array.from(values));
    const five = sentences.slice(0, 5).map((sentence) => `${sentence} Really and truly.`);
    const places = keySentences({ sentences: five, vectors, language: 'en', count: 2 });
    expect(places.filter((place) => place < 3)).toHaveLength(1);
  });

  it('key sentences are all sentences when there are fewer than requested', () => {
    expect(keySentences({ sentences: ['Yes.', 'No.'], language: 'en', count: 4 })).toEqual([0, 1]);
  });
});

it('rank is shared out whole among sentences that are all linked', () => {
  const rank = rankByLinks(
    [
      [1, 0.5, 0.5],
      [0.5, 1, 0.5],
      [0.5, 0.5, 1],
    ].map((row) => Float32Array.from(row)),
  );
  expect(rank.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 6);
  expect(rank[0]).toBeCloseTo(rank[1]!, 6);
});

it('sentences are found in passages with and without full stops', () => {
  expect(sentencesOf({ passages: ['Hi. Who is there?', 'me'], language: '' })).toEqual(['Hi.', 'Who is there?', 'me']);
});

it('the sentences of a call of two hours are ranked in seconds, also by their words', () => {
  const words = (i: number) => Array.from({ length: 15 }, (_, j) => `word${(i * 7919 + j * j * 31) % 6000}`);
  const sentences = Array.from({ length: 1200 }, (_, i) => `and so the ${words(i).join(' ')}.`);
  expect(keySentences({ sentences, language: 'da', count: 4 })).toHaveLength(4);
});
