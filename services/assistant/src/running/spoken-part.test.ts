import { expect, it } from '@jest/globals';
import { resumeAtMs, spokenPart } from './spoken-part.ts';

const text = 'We are open from nine to five.';

it.each([
  [0, ''],
  [100, ''],
  [300, 'We'],
  [1000, 'We are'],
  [2999, 'We are open from nine to'],
  [3000, text],
  [4000, text],
])('after %d of 3000 ms the caller has heard %j', (playedMs, spoken) => {
  expect(spokenPart(text, { playedMs, lengthMs: 3000 })).toBe(spoken);
});

it('a text goes on with the word it was stopped in, and never behind where it was stopped', () => {
  for (let playedMs = 0; playedMs <= 3000; playedMs += 50) {
    const at = resumeAtMs(text, { playedMs, lengthMs: 3000 });
    expect(at).toBeLessThanOrEqual(playedMs);
    expect(playedMs - at).toBeLessThan(600);
  }
  expect(resumeAtMs('', { playedMs: 0, lengthMs: 0 })).toBe(0);
});
