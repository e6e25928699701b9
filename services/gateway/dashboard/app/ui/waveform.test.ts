import { expect, it } from '@jest/globals';
import { peaksOf } from './waveform.ts';

it('a waveform shows the loudest sample of each part in relation to the loudest of all', () => {
  expect(peaksOf(Float32Array.from([0, -0.5, 0.25, 0.1]), 2)).toEqual([1, 0.5]);
});

it('a waveform shows silence, and audio shorter than the picture, as a line', () => {
  expect(peaksOf(new Float32Array(10), 2)).toEqual([0, 0]);
  expect(peaksOf(new Float32Array(0), 3)).toEqual([0, 0, 0]);
});
