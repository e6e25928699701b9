import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit';
import { Leg } from './leg.ts';
import { LegAudio } from './leg-audio.ts';
import { Legs } from './legs.ts';

const loud = (ms: number, sampleRate = 8000) => ({
  samples: new Int16Array((ms * sampleRate) / 1000).fill(8000),
  sampleRate,
});
const isLoud = (samples: Int16Array, fromMs: number, toMs: number) =>
  samples.subarray(fromMs * 8 + 40, toMs * 8 - 40).every((sample) => sample > 6000);
const isQuiet = (samples: Int16Array) => samples.every((sample) => Math.abs(sample) < 10);

function begun(): LegAudio {
  const audio = new LegAudio();
  audio.begin();
  return audio;
}

describe('LegAudio', () => {
  it('LegAudio has nothing from before the answer', async () => {
    const audio = new LegAudio();
    audio.play('heard', loud(100)).stop(100);
    audio.addFrame('said', 'a', loud(20).samples);
    expect(audio.positionMs).toBe(0);
    audio.begin();
    expect(isQuiet(await audio.samples('heard', 0, 500))).toBe(true);
  });

  it('LegAudio gives a sound that was faster than in reality its own duration, on both sides', async () => {
    const audio = begun();
    const playing = audio.play('heard', loud(1000, 16_000));
    playing.stop(1000);
    playing.stop(1000);
    const end = audio.positionMs;
    expect(end).toBeGreaterThanOrEqual(1000);
    expect(end).toBeLessThan(1500);
    audio.play('said', loud(100)).stop(100);
    const [said, heard] = [await audio.samples('said', 0, 2000), await audio.samples('heard', 0, 2000)];
    expect(isLoud(heard, 50, 900)).toBe(true);
    expect(isQuiet(heard.subarray(8 * 1100))).toBe(true);
    expect(isQuiet(said.subarray(0, 8 * 990))).toBe(true);
    expect(said.some((sample) => sample > 7000)).toBe(true);
  });

  it('LegAudio cuts a sound that was stopped, and repeats one that lasted longer', async () => {
    const audio = begun();
    audio.play('heard', loud(1000)).stop(200);
    const cut = await audio.samples('heard', 0, 1500);
    expect([isLoud(cut, 20, 190), isQuiet(cut.subarray(8 * 260))]).toEqual([true, true]);
    const repeating = begun();
    repeating.play('heard', loud(100)).stop(450);
    expect(isLoud(await repeating.samples('heard', 0, 500), 20, 440)).toBe(true);
  });

  it('LegAudio puts the frames of a source one after the other, and mixes sources', async () => {
    const audio = begun();
    await waitUntil(() => audio.positionMs > 200, { what: 'a moment' });
    // All at once, as after a delay of the process.
    for (let frame = 0; frame < 10; frame += 1) {
      audio.addFrame('said', 'a', loud(20).samples, 180 - frame * 20);
      audio.addFrame('said', 'b', loud(20).samples, 180 - frame * 20);
    }
    const samples = await audio.samples('said', 0, 1000);
    const sounding = samples.filter((sample) => sample > 14_000);
    // Of 1,600: the sources do not begin at the same sample.
    expect(sounding.length).toBeGreaterThan(1000);
    expect(isQuiet(await audio.samples('heard', 0, 400))).toBe(true);
  });

  it('LegAudio ends with its leg, also for what is being played', async () => {
    const leg = new Leg('leg-1', { kind: 'external', number: '1' }, 'outgoing');
    leg.connects();
    leg.audio.play('heard', loud(5000));
    await waitUntil(() => leg.audio.positionMs > 100, { what: 'a moment' });
    leg.ends('NORMAL_CLEARING');
    const end = leg.audio.positionMs;
    expect(isLoud(await leg.audio.samples('heard', 0, end), 20, Math.floor(end))).toBe(true);
    leg.audio.addFrame('heard', 'a', loud(20).samples);
    expect(leg.audio.positionMs).toBe(end);
  });
});

describe('the audio of all legs', () => {
  it('the audio of all legs is bounded: that of the oldest ended leg goes first', () => {
    const legs = new Legs(100_000);
    const [live, ended, last] = ['1', '2', '3'].map((id) => {
      const leg = new Leg(id, { kind: 'external', number: id }, 'outgoing');
      legs.add(leg);
      leg.connects();
      return leg;
    }) as [Leg, Leg, Leg];
    for (const leg of [live, ended]) leg.audio.play('heard', loud(2500)).stop(2500);
    ended.ends('NORMAL_CLEARING');
    last.audio.play('heard', loud(2500)).stop(2500);
    expect([live, ended, last].map(({ audio }) => audio.isForgotten)).toEqual([false, true, false]);
    last.audio.play('heard', loud(2500)).stop(2500);
    expect([live, ended, last].map(({ audio }) => audio.isForgotten)).toEqual([true, true, false]);
  });
});

describe('a voice', () => {
  const at = new Date('2026-01-01T10:00:00Z');
  function heardBy(frames: readonly boolean[]): Leg {
    const leg = new Leg('leg-1', { kind: 'external', number: '1' }, 'outgoing');
    leg.connects();
    frames.forEach((isLoud, frame) => leg.hearsFrame('a', isLoud, new Date(at.getTime() + frame * 20)));
    return leg;
  }
  const frames = (count: number, isLoud: boolean) => Array.from({ length: count }, () => isLoud);

  it('a voice begins with sound, and ends half a second after it', () => {
    const leg = heardBy([
      ...frames(10, false),
      ...frames(10, true),
      ...frames(20, false),
      ...frames(5, true),
      ...frames(40, false),
      true,
    ]);
    const voices = leg.heard.map((heard) => (heard.kind === 'voice' ? [heard.startedAt, heard.endedAt] : []));
    const after = (frame: number) => new Date(at.getTime() + frame * 20);
    expect(voices).toEqual([
      [after(10), after(44)],
      [after(85), null],
    ]);
  });

  it('a voice ends with its leg, and when its source stops to send', async () => {
    const leg = heardBy([true]);
    leg.ends('NORMAL_CLEARING');
    expect(leg.heard).toMatchObject([{ endedAt: at }]);
    const left = heardBy([true]);
    await waitUntil(() => left.heard[0]?.kind === 'voice' && left.heard[0].endedAt !== null, { what: 'the end' });
  });

  it('a voice is recognised once it has ended, once, and again after a failure', async () => {
    const leg = heardBy([true]);
    const [voice] = leg.heard;
    if (voice?.kind !== 'voice') throw new Error('no voice');
    let asked = 0;
    const recognise = async () => {
      asked += 1;
      if (asked === 1) throw new Error('not now');
      return 'hello';
    };
    await voice.recognise(recognise);
    expect(asked).toBe(0);
    leg.ends('NORMAL_CLEARING');
    await expect(voice.recognise(recognise)).rejects.toThrow('not now');
    await Promise.all([voice.recognise(recognise), voice.recognise(recognise)]);
    expect([voice.text, asked]).toEqual(['hello', 2]);
  });
});
