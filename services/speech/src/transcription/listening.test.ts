import { describe, expect, it } from '@jest/globals';
import { writeWav } from '@parley/audio';
import { SPEECH_RATE } from '../audio/speech-samples.ts';
import { cleanWords } from './clean-words.ts';
import { speakerTurnsIn } from './speaker-turns.ts';
import { findSpeech } from './voice-activity.ts';
import { whisperLanguage } from './choose-recognizer.ts';

const SYLLABLE = 0.2 * SPEECH_RATE;

/** Sound like speech: syllables with dips between. */
const talk = (secs: number) =>
  Float32Array.from(
    { length: secs * SPEECH_RATE },
    (_, i) => 0.2 * Math.abs(Math.sin((Math.PI * i) / SYLLABLE)) * Math.sin((2 * Math.PI * 180 * i) / SPEECH_RATE),
  );
const hiss = (secs: number) => Float32Array.from({ length: secs * SPEECH_RATE }, (_, i) => 0.001 * Math.sin(i * i));
const line = (...parts: Float32Array[]) => {
  const whole = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};
const secs = (samples: number) => Math.round((samples / SPEECH_RATE) * 10) / 10;

describe('voice activity', () => {
  it('voice activity finds turns and leaves out the silence between', () => {
    const found = findSpeech(line(hiss(3), talk(2), hiss(5), talk(4), hiss(1)));
    expect(found.map(({ start, end }) => [secs(start), secs(end)])).toEqual([
      [expect.closeTo(2.8, 0), expect.closeTo(5.2, 0)],
      [expect.closeTo(9.8, 0), expect.closeTo(14.2, 0)],
    ]);
  });

  it('voice activity includes short pauses', () => {
    expect(findSpeech(line(talk(2), hiss(1), talk(2)))).toHaveLength(1);
  });

  it('voice activity finds nothing in silence, noise or a click', () => {
    const click = Float32Array.from({ length: 400 }, () => 0.5);
    for (const quiet of [new Float32Array(SPEECH_RATE), hiss(5), line(hiss(2), click, hiss(2)), new Float32Array()]) {
      expect(findSpeech(quiet)).toEqual([]);
    }
  });

  it('voice activity splits speech without pauses into pieces that the recogniser can process', () => {
    const found = findSpeech(talk(100));
    expect(found.length).toBeGreaterThanOrEqual(4);
    for (const { start, end } of found) expect(end - start).toBeLessThanOrEqual(29 * SPEECH_RATE);
    expect(found.reduce((sum, { start, end }) => sum + end - start, 0)).toBeGreaterThan(99 * SPEECH_RATE);
  });
});

it('a recording is cut into turns of each speaker, in the order they began', () => {
  const [left, right] = [line(talk(1), hiss(4)), line(hiss(3), talk(1), hiss(1))];
  const samples = Int16Array.from({ length: left.length * 2 }, (_, i) => (i % 2 ? right : left)[i >> 1]! * 32_767);
  const wav = writeWav([samples], SPEECH_RATE);
  wav.writeUInt16LE(2, 22);
  const { doneUntilMs, durationMs, turns } = speakerTurnsIn({ wav })!;
  expect({ doneUntilMs, durationMs }).toEqual({ doneUntilMs: [5000, 5000], durationMs: 5000 });
  expect(turns.map(({ channel }) => channel)).toEqual([0, 1]);
  expect(turns[1]!.startMs).toBeGreaterThan(2500);
});

it('what is no WAV file has no turns', () => {
  expect(speakerTurnsIn({ wav: Buffer.from('nothing') })).toBeUndefined();
});

it.each([
  [' Hello there. ', 'Hello there.'],
  ['[BLANK_AUDIO]', ''],
  ['(upbeat music) ♪♪ Hi', 'Hi'],
  ['the the the the the the end', 'the end'],
  ['Thank you. Thank you. Thank you. Thank you. Thank you. Bye.', 'Thank you. Bye.'],
  ['No, no, no!', 'No, no, no!'],
])('the recognised text "%s" is cleaned to "%s"', (recognized, left) => {
  expect(cleanWords(recognized)).toBe(left);
});

it.each([
  ['en', 'en'],
  ['da-DK', 'da'],
  ['nb', 'no'],
  ['', 'auto'],
  ['tlh', 'auto'],
])('the language "%s" is %s for the recogniser', (language, code) => {
  expect(whisperLanguage(language)).toBe(code);
});
