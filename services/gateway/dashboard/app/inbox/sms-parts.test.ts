import { expect, it } from '@jest/globals';
import { partsWords } from './sms-parts.ts';

it.each([
  ['', '0 parts'],
  ['Hello', '1 part'],
  ['a'.repeat(160), '1 part'],
  ['a'.repeat(161), '2 parts'],
  ['€'.repeat(80), '1 part'],
  ['ж'.repeat(70), '1 part, with special characters'],
  ['ж'.repeat(71), '2 parts, with special characters'],
])('the parts of %j are counted', (text, words) => expect(partsWords(text)).toBe(words));
