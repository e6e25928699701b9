import { describe, expect, it } from '@jest/globals';
import { hasMention, mentionsOf } from './mentions.ts';

const employees = ['Anna Berg', 'Anna Holm', 'Zoë O’Neill', 'Bo', 'Bo Jensen', 'Jens Ågård Jr.', 'Eva', 'Eva'].map(
  (name, index) => ({ id: `emp_${index}`, name }),
);
const mentioned = (text: string) => mentionsOf(text, employees).map(({ name }) => name);

describe('a comment', () => {
  it.each([
    ['@Anna Berg, can you call back?', ['Anna Berg']],
    ['Please ask @anna holm.', ['Anna Holm']],
    ['(@ZOE) and @Bo: see above', ['Zoë O’Neill', 'Bo']],
    ['@Bo Jensen knows', ['Bo Jensen']],
    ['@Bo knows', ['Bo']],
    ['@jens agard jr. or @Jens', ['Jens Ågård Jr.']],
    ['@Zoe oneill\n@Bo!', ['Zoë O’Neill', 'Bo']],
  ])('the comment %j mentions %j', (text, names) => expect(mentioned(text)).toEqual(names));

  it.each([
    ['of one name of two people', '@Anna should know'],
    ['of a name that two people have', '@Eva'],
    ['of nobody', '@Carl and @'],
    ['of a part of a word', '@Ann and @Annabel'],
    ['in an e-mail address', 'write to info@bo.example'],
    ['without the sign', 'Bo knows'],
    ['after a space', '@ Bo'],
  ])('a comment has no mention %s', (_what, text) => expect(mentioned(text)).toEqual([]));

  it('a comment with many signs is read in bounded time', () => {
    expect(mentioned('@Bo '.repeat(1200))).toEqual(['Bo']);
    expect(mentioned(`${'@x '.repeat(20)}@Bo`)).toEqual([]);
  });

  it.each([
    ['@Bo', true],
    ['a@b', false],
    ['@ x', false],
  ])('the comment %j may have a mention: %s', (text, expected) => expect(hasMention(text)).toBe(expected));
});
