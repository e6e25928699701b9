import { describe, expect, it } from '@jest/globals';
import { writeWav } from '@parley/audio';
import { joinSpeech, SPEECH_RATE } from '../audio/speech-samples.ts';
import { type Pack, packsOf, alignWords, unpack } from './packs.ts';
import { speakerTurnsIn } from './speaker-turns.ts';

const talk = (secs: number) =>
  Int16Array.from({ length: secs * SPEECH_RATE }, (_, i) => 6000 * Math.abs(Math.sin(i / 1000)) * Math.sin(i / 14));
const quiet = (secs: number) => new Int16Array(secs * SPEECH_RATE);
const packsIn = (...parts: Int16Array[]) =>
  packsOf(speakerTurnsIn({ wav: writeWav([joinSpeech(parts, 0)], SPEECH_RATE) })!.turns);

describe('packs', () => {
  it('packs contain several turns of a speaker, with silence between, and their positions', () => {
    const packs = packsIn(talk(2), quiet(5), talk(3), quiet(5), talk(1));
    expect(packs).toHaveLength(1);
    expect(packs[0]!.pieces.map(({ startMs }) => Math.round(startMs / 1000))).toEqual([0, 7, 15]);
    expect(packs[0]!.samples.length / SPEECH_RATE).toBeCloseTo(2 + 3 + 1 + 2 + 1, 0);
  });

  it('packs are never longer than the recogniser looks at, and never of two speakers', () => {
    const [long, pause] = [talk(6), quiet(3)];
    const turns = Array.from({ length: 12 }, () => [long, pause]).flat();
    const packs = packsIn(...turns);
    expect(packs.length).toBeGreaterThan(3);
    for (const { samples } of packs) expect(samples.length).toBeLessThanOrEqual(29 * SPEECH_RATE);
    expect(packs.flatMap(({ pieces }) => pieces)).toHaveLength(12);
  });

  it('packs are not made of silence', () => {
    expect(packsIn(quiet(3))).toEqual([]);
  });
});

describe('words recognised in a pack', () => {
  const pack: Pack = {
    channel: 1,
    samples: new Int16Array(6 * SPEECH_RATE).fill(7, 3 * SPEECH_RATE),
    pieces: [
      { startMs: 10_000, offsetMs: 0, lengthMs: 2000 },
      { startMs: 50_000, offsetMs: 3000, lengthMs: 3000 },
    ],
  };

  it('words recognised in a pack get their positions in the recording', () => {
    expect(
      alignWords(pack, [
        { startMs: 0, endMs: 3200, text: ' Hello.' },
        { startMs: 3200, endMs: 7000, text: ' Thank you.' },
        { startMs: 7000, endMs: 9000, text: ' [BLANK_AUDIO]' },
      ]),
    ).toEqual([
      { channel: 1, startMs: 10_000, endMs: 12_000, text: 'Hello.' },
      { channel: 1, startMs: 50_200, endMs: 53_000, text: 'Thank you.' },
    ]);
  });

  it('words recognised in a pack cannot be assigned when they overlap two turns; then each turn is transcribed separately', () => {
    expect(alignWords(pack, [{ startMs: 500, endMs: 5500, text: 'Hello. Thank you.' }])).toBeUndefined();
    const alone = unpack(pack);
    expect(alone.map(({ pieces }) => pieces[0])).toEqual([
      { startMs: 10_000, offsetMs: 0, lengthMs: 2000 },
      { startMs: 50_000, offsetMs: 0, lengthMs: 3000 },
    ]);
    expect(alone.map(({ samples }) => [samples.length / SPEECH_RATE, samples[0]])).toEqual([
      [2, 0],
      [3, 7],
    ]);
    expect(alignWords(alone[1]!, [{ startMs: 0, endMs: 9000, text: 'Thank you.' }])).toMatchObject([
      { startMs: 50_000 },
    ]);
  });
});
