import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isNonsense, plainSpeech } from './plain-speech.ts';
import { sentenceSplitter, thoughtFilter } from './sentences.ts';

/** The sentences of a text that arrives in pieces of this length. */
function split(text: string, length: number, language = 'en'): string[] {
  const splitter = sentenceSplitter(language);
  const sentences: string[] = [];
  for (let from = 0; from < text.length; from += length)
    sentences.push(...splitter.push(text.slice(from, from + length)));
  return [...sentences, ...splitter.end()];
}

describe('the sentences of a reply', () => {
  it.each([
    ['We open at nine. We close at five.', ['We open at nine.', 'We close at five.']],
    ['Hello! How are you? Fine… Good.', ['Hello!', 'How are you?', 'Fine…', 'Good.']],
    [
      'It costs 12.50 euros, e.g. for Dr. Jones at no. 5. Bye',
      ['It costs 12.50 euros, e.g. for Dr. Jones at no. 5.', 'Bye'],
    ],
    [
      'We open at 9 a.m. on Monday. We close at 5 p.m. Bye.',
      ['We open at 9 a.m. on Monday.', 'We close at 5 p.m.', 'Bye.'],
    ],
    ['Two things:\n- one\n- two', ['Two things:', '- one', '- two']],
    ['1. First\n2. Second', ['1. First', '2. Second']],
    ['He said "Yes." Then he left.', ['He said "Yes."', 'Then he left.']],
    ['**Bold.** Plain.', ['**Bold.**', 'Plain.']],
    ['See nordlys.example for more.', ['See nordlys.example for more.']],
    ['no end', ['no end']],
    ['', []],
  ])('the sentences of %j are %j, however it arrives', (text, sentences) => {
    for (const length of [1, 2, 3, 7, 100]) expect(split(text, length)).toEqual(sentences);
  });

  it.each([
    ['de', 'Am 5. Mai ist zu. Danke.', ['Am 5. Mai ist zu.', 'Danke.']],
    ['da', 'Den 5. maj er lukket, bl.a. butikken. Tak.', ['Den 5. maj er lukket, bl.a. butikken.', 'Tak.']],
  ])('in the language %s the sentences of %j are %j', (language, text, sentences) => {
    expect(split(text, 3, language)).toEqual(sentences);
  });

  it('a sentence of a reply is there as soon as the next one begins', () => {
    const splitter = sentenceSplitter('en');
    expect(splitter.push('We open at nine.')).toEqual([]);
    expect(splitter.push(' ')).toEqual(['We open at nine.']);
    expect(splitter.pendingLength).toBeLessThan(2);
  });

  it('the sentences of a reply have all of its words, however it arrives', () => {
    const text = fc
      .array(fc.constantFrom('Hi.', 'a', '1.', '9', 'p.m.', '?', '\n', '…', 'Dr.', '**b**', '。'))
      .map((parts) => parts.join(' '));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), (whole, length) => {
        const squeezed = (given: string) => given.replaceAll(/\s/g, '');
        expect(squeezed(split(whole, length).join(''))).toBe(squeezed(whole));
      }),
    );
  });

  it.each([
    ['Hello', 'Hello'],
    ['<think>secret thoughts</think>Hello', 'Hello'],
    [' \n<think>\nsecret\n</think>\n\nHello <think>', '\n\nHello <think>'],
    ['<thin', ''],
    ['<think>no end', ''],
  ])('a reply of %j is %j without the thoughts before it, however it arrives', (text, expected) => {
    for (const length of [1, 3, 100]) {
      const filter = thoughtFilter();
      let spoken = '';
      for (let from = 0; from < text.length; from += length) spoken += filter(text.slice(from, from + length));
      expect(spoken).toBe(expected);
    }
  });
});

describe('a sentence as it is spoken', () => {
  it.each([
    ['**We** open at *nine*.', 'We open at nine.'],
    ['- We open at `nine`.', 'We open at nine.'],
    ['## Hours', 'Hours'],
    ['1. First of all', 'First of all'],
    ['> quoted', 'quoted'],
    ['See [our page](https://evil.example).', 'See our page.'],
    ['![a](https://evil.example/x.png)Hi', 'Hi'],
    ['Hi <b>you</b>!', 'Hi you!'],
    ['Great 🎉 👍🏽 🇩🇰 news!', 'Great news!'],
    ['| nine | five |', 'nine five'],
    ['We _really_ open.', 'We really open.'],
    ['a\u0000b\u202ec', 'abc'],
    ['  two   spaces  ', 'two spaces'],
    ['🙂', ''],
    ['It is 5 * 3 # 2.', 'It is 5 3 2.'],
    ['Write to a_b@c.example.', 'Write to a_b@c.example.'],
  ])('a sentence of %j is spoken as %j', (sentence, spoken) => {
    expect(plainSpeech(sentence)).toBe(spoken);
  });

  it.each([
    '<|im_end|> hello',
    '[INST] hello',
    '<tool_call>transfer</tool_call>',
    '{"name": "transfer_call"}',
    '```json',
    'caf\ufffd',
    'the the the the the',
    'xkcd qwrt zxcv bnm',
    'a'.repeat(60),
    '我们九点开门。',
    'Мы открываемся в девять.',
    '}}}} ]]]] ;;;; ^^^^',
  ])('a sentence of %j is nonsense', (sentence) => {
    expect(isNonsense(sentence)).toBe(true);
  });

  it.each([
    'We open at nine.',
    'No, no, no.',
    'Hm.',
    'Write to info@nordlys.example or see https://nordlys.example/a-very-long-path-that-does-not-end-soon.',
    'Donaudampfschifffahrtsgesellschaftskapitän ist da.',
    'Vi har åbent på Ærø.',
    '12.50 €',
    '**Yes!**',
  ])('a sentence of %j is no nonsense', (sentence) => {
    expect(isNonsense(sentence)).toBe(false);
  });
});
