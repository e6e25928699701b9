import { describe, expect, it } from '@jest/globals';
import {
  begin,
  cut,
  isTooLong,
  neededSinceMs,
  nothingSaid,
  pause,
  soundsOf,
  take,
  type Utterance,
  wholeOf,
} from './utterance.ts';

/** Voice from each first time to its second, in seconds. */
const said = (...stretches: (readonly [number, number])[]): Utterance =>
  stretches.reduce((utterance, [from, to]) => pause(begin(utterance, from * 1000), to * 1000), nothingSaid);

const sounds = (utterance: Utterance) => soundsOf(utterance).map(({ startMs, endMs }) => [startMs, endMs]);

describe('an utterance', () => {
  it('an utterance is all that was said, from its first word to its last', () => {
    expect(wholeOf(said([1, 2], [2.5, 4]))).toEqual({ startMs: 1000, endMs: 4000 });
    expect(wholeOf(nothingSaid)).toBeUndefined();
    expect(wholeOf(begin(nothingSaid, 500))).toBeUndefined();
  });

  it('an utterance is recognised as one part as long as it is short, with a little silence around it', () => {
    expect(sounds(said([1, 2], [2.5, 4]))).toEqual([[800, 4160]]);
    expect(sounds(said([0.1, 2]))).toEqual([[0, 2160]]);
  });

  it('an utterance is divided at a long silence, and at a pause after ten seconds', () => {
    expect(sounds(said([1, 2], [4, 5]))).toEqual([
      [800, 2160],
      [3800, 5160],
    ]);
    expect(sounds(said([1, 6], [6.3, 12], [12.3, 14]))).toEqual([
      [800, 12_160],
      [12_100, 14_160],
    ]);
  });

  it('an utterance never has a part that is longer than the recogniser hears', () => {
    expect(sounds(said([1, 10], [10.5, 35]))).toEqual([
      [800, 10_160],
      [10_300, 35_160],
    ]);
  });

  it('an utterance keeps the parts that it has when more is said', () => {
    const stretches = Array.from({ length: 30 }, (_, i) => [i * 3, i * 3 + 2 + (i % 3) * 0.4] as const);
    let before: number[][] = [];
    for (let count = 1; count <= stretches.length; count += 1) {
      const now = sounds(said(...stretches.slice(0, count)));
      expect(now.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
      before = now;
    }
    expect(before.length).toBeGreaterThan(5);
  });

  it('an utterance without a pause is cut, without a loss of audio', () => {
    const speaking = begin(nothingSaid, 1000);
    expect(isTooLong(speaking, 28_900)).toBe(false);
    expect(isTooLong(speaking, 29_000)).toBe(true);
    expect(isTooLong(said([1, 2]), 99_000)).toBe(false);
    const twice = pause(cut(cut(speaking, 25_000), 50_000), 60_000);
    expect(sounds(twice)).toEqual([
      [800, 25_000],
      [25_000, 50_000],
      [50_000, 60_160],
    ]);
  });

  it('an utterance that is cut after its last word has no part without words', () => {
    const ended = pause(cut(begin(nothingSaid, 1000), 28_000), 27_900);
    expect(sounds(ended)).toEqual([[800, 28_000]]);
  });

  it('an utterance begins after what was taken of it', () => {
    const twice = said([1, 2], [2.5, 4]);
    expect(wholeOf(take(twice, 2000))).toEqual({ startMs: 2500, endMs: 4000 });
    expect(wholeOf(take(twice, 3000))).toEqual({ startMs: 3000, endMs: 4000 });
    expect(sounds(take(twice, 2400))).toEqual([[2400, 4160]]);
    expect(wholeOf(take(twice, 4000))).toBeUndefined();
  });

  it('an utterance is not given back by a later message about earlier audio', () => {
    const taken = take(said([1, 2]), 2000);
    expect(take(taken, 500)).toEqual(taken);
    expect(wholeOf(pause(begin(take(taken, 500), 1900), 2600))).toEqual({ startMs: 2000, endMs: 2600 });
  });

  it('an utterance that goes on while it is taken begins there', () => {
    const speaking = take(begin(nothingSaid, 1000), 3000);
    expect(wholeOf(pause(speaking, 5000))).toEqual({ startMs: 3000, endMs: 5000 });
    expect(wholeOf(pause(speaking, 2900))).toBeUndefined();
  });

  it('an utterance that nobody takes loses its beginning after two minutes', () => {
    const long = said(...Array.from({ length: 100 }, (_, i) => [i * 2, i * 2 + 1.5] as const));
    expect(wholeOf(long)).toEqual({ startMs: 80_000, endMs: 199_500 });
    expect(long.stretches.length).toBeLessThanOrEqual(60);
  });

  it('an utterance needs audio since shortly before its first word', () => {
    expect(neededSinceMs(said([1, 2], [3, 4]), 9000)).toBe(800);
    expect(neededSinceMs(begin(nothingSaid, 5000), 9000)).toBe(4800);
    expect(neededSinceMs(nothingSaid, 9000)).toBe(8800);
    expect(neededSinceMs(take(said([1, 2]), 2000), 2100)).toBe(2000);
  });
});
