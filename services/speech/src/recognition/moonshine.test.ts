import { expect, it } from '@jest/globals';
import { readVocabulary, textOfTokens } from './moonshine.ts';

const words = ['<unk>', '<s>', '</s>', '<0xC3>', '<0xA9>', '\u2581the', '\u2581caf', 's', '\u2581<s>'];
const program = `const llama_vocab_base64 = "${Buffer.from(words.join('\n')).toString('base64')}"\n`;

it('tokens become text, also characters that are spelled byte by byte', () => {
  expect(textOfTokens(readVocabulary(program), [1, 5, 6, 3, 4, 7, 2])).toBe('the cafés');
});

it('unknown tokens and marks are no text', () => {
  expect(textOfTokens(readVocabulary(program), [0, 99_999, 1, 2])).toBe('');
});

it('a tokenizer without a vocabulary is refused', () => {
  expect(() => readVocabulary('const merges = "abc"')).toThrow('without a vocabulary');
});
