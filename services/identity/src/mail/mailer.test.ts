import { describe, expect, it } from '@jest/globals';
import { plainName } from './mailer.ts';

describe('plainName', () => {
  it.each([
    'Ada Lovelace',
    'Dr. Ada Lovelace',
    'Zoë O’Neill-Smith',
    'Jens Ågård Jr.',
    '山田 太郎',
    'Smith & Sons, Ltd.',
  ])('plainName leaves %s as it is', (name) => expect(plainName(name)).toBe(name));

  it.each([
    ['https://evil.example/win', 'https: evil. example win'],
    ['Ada www.evil.example', 'Ada www. evil. example'],
    ['ada@evil.example', 'ada at evil. example'],
    ['mailto:ada', 'mailto: ada'],
    ['evil\uff0eexample', 'evil\uff0e example'],
    ['http:\\\\evil', 'http: evil'],
    ['J.R. Smith', 'J. R. Smith'],
  ])('plainName makes no address of %j', (name, plain) => expect(plainName(name)).toBe(plain));

  it('plainName is one line without control and direction characters', () => {
    expect(plainName('Ada\r\nBcc: eve\u2028\u202eexample\0')).toBe('Ada Bcc: eve example');
  });

  it('plainName does not take zero-width characters for a separation', () => {
    expect(plainName('evil.\u200bexample')).toBe('evil. example');
  });

  it('plainName is of bounded length', () => expect(plainName('a'.repeat(1000))).toHaveLength(100));
});
