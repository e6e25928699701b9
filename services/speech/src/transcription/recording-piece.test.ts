import { describe, expect, it } from '@jest/globals';
import { writeWav } from '@parley/audio';
import { joinSpeech, SPEECH_RATE } from '../audio/speech-samples.ts';
import { readPiece } from './recording-piece.ts';

const talk = (secs: number) =>
  Int16Array.from({ length: secs * SPEECH_RATE }, (_, i) => 6000 * Math.abs(Math.sin(i / 1000)) * Math.sin(i / 14));
const quiet = (secs: number) => new Int16Array(secs * SPEECH_RATE);
const line = (...parts: Int16Array[]) => joinSpeech(parts, 0);

const stereo = (left: Int16Array, right: Int16Array) => writeWav([left, right], SPEECH_RATE);

const stretchesOf = (piece: NonNullable<ReturnType<typeof readPiece>>) =>
  piece.channels.map(({ stretches }) =>
    stretches.map(({ start, end }) => [Math.round(start / SPEECH_RATE), Math.round(end / SPEECH_RATE)]),
  );

describe('a piece of a recording', () => {
  it('a piece of a recording covers everything when nothing follows', () => {
    const piece = readPiece({ wav: stereo(line(talk(3), quiet(7)), line(quiet(6), talk(4))) })!;
    expect(stretchesOf(piece)).toEqual([[[0, 3]], [[6, 10]]]);
    expect(piece.channels.map(({ doneUntilMs }) => doneUntilMs)).toEqual([10_000, 10_000]);
  });

  it('a piece of a recording leaves speech that continues at its end to the next piece, for each speaker separately', () => {
    const left = line(talk(3), quiet(7), talk(4), quiet(6));
    const right = line(quiet(12), talk(8));
    const piece = readPiece({ wav: stereo(left, right), moreFollows: true })!;
    expect(stretchesOf(piece)).toEqual([[[0, 3], [10, 14]], []]); // prettier-ignore
    const [leftDone = 0, rightDone = 0] = piece.channels.map(({ doneUntilMs }) => doneUntilMs);
    expect(leftDone).toBe(19_800);
    expect(rightDone).toBeGreaterThan(11_500);
    expect(rightDone).toBeLessThanOrEqual(12_000);
  });

  it('a piece of a recording passes over what an earlier piece has covered', () => {
    const wav = stereo(line(talk(5), quiet(5), talk(2), quiet(3)), line(talk(5), quiet(10)));
    const piece = readPiece({ wav, doneUntilMs: [8000, 0] })!;
    expect(stretchesOf(piece)).toEqual([[[10, 12]], [[0, 5]]]);
  });

  it('a piece of a recording makes progress even without pauses', () => {
    const piece = readPiece({ wav: stereo(talk(10), quiet(10)), moreFollows: true })!;
    expect(stretchesOf(piece)[0]).toEqual([[0, 10]]);
    expect(piece.channels[0]!.doneUntilMs).toBe(10_000);
  });

  it('a piece of a recording of something that is no WAV file is undefined', () => {
    expect(readPiece({ wav: Buffer.from('nothing') })).toBeUndefined();
  });
});
