import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { maskSecrets } from './mask-secrets.ts';

describe('secrets in what was said', () => {
  it.each([
    ['My card number is 4111 1111 1111 1111.', 'My card number is •••.'],
    ['it is 4111-1111-1111-1111 and expires soon', 'it is ••• and expires soon'],
    ['four one one one, one one one one, one one one one, one one one one', '•••'],
    ['My PIN is 1234.', 'My PIN is •••.'],
    ['my pin code is one two three four', 'my pin code is •••'],
    [
      'the password is 77 12, and my phone number is 20 30 40 50',
      'the password is •••, and my phone number is 20 30 40 50',
    ],
    ['my social security number is 078 05 1120', 'my social security number is •••'],
    ['min pinkode er en to tre fire', 'min pinkode er •••'],
    ['meine PIN ist 4711', 'meine PIN ist •••'],
    ['my CPR number is 010190 and then 1234', 'my CPR number is •••'],
    ['call me on 20 30 40 50', 'call me on 20 30 40 50'],
    ['I have a question about my credit card', 'I have a question about my credit card'],
    ['You can reach me on +49 1512 3456 7890', 'You can reach me on +49 1512 3456 7890'],
    ['order 4111 1111 1111 1112', 'order 4111 1111 1111 1112'],
  ])('secrets are removed from "%s"', (said, kept) => {
    expect(maskSecrets(said)).toEqual({ text: kept, masked: said !== kept });
  });

  it.each([
    ['my pin is', 'one two three four', '•••'],
    ['My card number is 4111 1111', '1111 1111', '•••'],
    ['My card number is •••', '1111 1111', '•••'],
    ['It is 4111 1111', '1111 1111, thanks', '•••, thanks'],
    ['I have lost my credit card', '20 30 40 50', '20 30 40 50'],
  ])('secrets that were announced by "%s" are removed from "%s"', (before, said, kept) => {
    expect(maskSecrets(said, before).text).toBe(kept);
  });

  it('secrets are removed once: masking again changes nothing', () => {
    const piece = fc.constantFrom(
      'my',
      'pin',
      'is',
      '1234',
      'card number',
      '4111 1111 1111 1111',
      'one',
      'double five',
      '20304050',
      '•••',
      'call',
      '?',
      ',',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const { text } = maskSecrets(pieces.join(' '));
        expect(maskSecrets(text).text).toBe(text);
        expect(text).not.toContain('4111 1111 1111 1111');
      }),
    );
  });
});
