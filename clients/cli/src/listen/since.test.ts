import { describe, expect, it } from '@jest/globals';
import { readTypes } from '../events/types-option.ts';
import { readSince } from './since.ts';

const NOW = Date.UTC(2026, 10, 19, 12);
const CURSOR = 'WzE3OTUxMjE3NDIxNTcsMCwwLG51bGxd.3E4SJBhCtOSr1T94m00CBg';

describe('where a listener begins', () => {
  it.each([
    [undefined, { kind: 'now' }],
    ['last', { kind: 'last' }],
    ['30s', { kind: 'time', from: new Date(NOW - 30_000) }],
    ['10m', { kind: 'time', from: new Date(NOW - 600_000) }],
    ['2h', { kind: 'time', from: new Date(NOW - 7_200_000) }],
    ['3d', { kind: 'time', from: new Date(NOW - 259_200_000) }],
    [CURSOR, { kind: 'cursor', cursor: CURSOR }],
  ])('where a listener begins with --since %s', (text, expected) => {
    expect(readSince(text, NOW)).toEqual(expected);
  });

  it.each(['', 'Last', '10', '10x', '1.5h', '-1m', '9999999s'])('a listener cannot begin with --since %j', (text) => {
    expect(() => readSince(text, NOW)).toThrow('--since does not know');
  });
});

describe('types of events', () => {
  it('types of events are written with commas', () => {
    expect(readTypes('call.ended, contact.*')).toEqual(['call.ended', 'contact.*']);
    expect(readTypes(undefined)).toBeUndefined();
  });

  it.each(['', ',', 'call.ended,', 'a b', 'x,'.repeat(40)])('types of events are not %j', (text) => {
    expect(() => readTypes(text)).toThrow('are no types of events');
  });
});
