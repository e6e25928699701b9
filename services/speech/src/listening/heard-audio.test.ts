import { describe, expect, it } from '@jest/globals';
import { createHeardAudio, quietestMs } from './heard-audio.ts';

/** Each sample is its own position. */
const ramp = (from: number, length: number) => Int16Array.from({ length }, (_, i) => from + i);

describe('heard audio', () => {
  it('heard audio is read by its times, across the messages it came in', () => {
    const audio = createHeardAudio();
    for (const [from, length] of [
      [0, 5],
      [5, 20],
      [25, 0],
      [25, 75],
    ] as const)
      audio.append(ramp(from, length));
    expect(audio.endMs).toBe(12.5);
    expect([...audio.between(0.5, 4)]).toEqual([...ramp(4, 28)]);
    expect([...audio.between(0, 12.5)]).toEqual([...ramp(0, 100)]);
  });

  it('heard audio is empty where nothing was heard', () => {
    const audio = createHeardAudio();
    expect(audio.between(0, 100)).toHaveLength(0);
    audio.append(ramp(0, 8));
    expect(audio.between(-5, 0)).toHaveLength(0);
    expect(audio.between(1, 9)).toHaveLength(0);
    expect(audio.between(0.5, 9)).toHaveLength(4);
    expect(audio.between(0.5, 0.25)).toHaveLength(0);
  });

  it('heard audio is forgotten by whole messages', () => {
    const audio = createHeardAudio();
    for (let i = 0; i < 10; i += 1) audio.append(ramp(i * 80, 80));
    audio.forgetBefore(35);
    expect([...audio.between(0, 31)]).toEqual([...ramp(240, 8)]);
    expect([...audio.between(95, 200)]).toEqual([...ramp(760, 40)]);
    expect(audio.endMs).toBe(100);
    audio.forgetBefore(1000);
    expect(audio.between(0, 1000)).toHaveLength(0);
    audio.append(ramp(800, 80));
    expect([...audio.between(100, 101)]).toEqual([...ramp(800, 8)]);
  });
});

it('the quietest moment of speech is found', () => {
  const speech = Int16Array.from({ length: 16_000 }, (_, i) => (i >= 9600 && i < 9800 ? 3 : 3000) * (i % 2 ? 1 : -1));
  expect(quietestMs(speech)).toBe(1200);
});
