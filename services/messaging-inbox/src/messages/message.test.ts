import { describe, expect, it } from '@jest/globals';
import { SegmentedMessage } from 'sms-segments-calculator';
import { encodingOf } from './message.ts';

describe('the encoding of a text', () => {
  it('the encoding of a text is what its characters need, as the library computes it', () => {
    const characters = Array.from({ length: 0x2100 }, (_, code) => String.fromCharCode(code));
    const differing = characters.filter((character) => {
      const needed = new SegmentedMessage(`a${character}`).encodingName === 'GSM-7' ? 'gsm7' : 'ucs2';
      return encodingOf(`a${character}`) !== needed;
    });
    expect(differing).toEqual([]);
  });

  it('the encoding of a text of several lines is that of their characters', () => {
    expect(encodingOf('Hej\r\nmed dig\nØ {1}')).toBe('gsm7');
    expect(encodingOf('Hej\r\nmed dig 🙂')).toBe('ucs2');
    expect(encodingOf('')).toBe('gsm7');
  });
});
