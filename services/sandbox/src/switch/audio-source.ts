import { durationMs, readWav, type Sound } from '../audio/wav.ts';
import type { Heard } from '../legs/leg.ts';
import type { HttpCache } from './http-cache.ts';
import type { SwitchFiles } from './switch-files.ts';

export interface AudioSource {
  /** Infinity for music and tones that loop. */
  readonly durationMs: number;
  readonly heard: Heard | undefined;
  readonly sound: Sound | undefined;
  /** The tone for a real phone; recordings do not contain it. */
  readonly tone?: Sound;
}

/** Finds what a playback's argument names; undefined when a real switch would respond with FILE NOT FOUND. */
export function openAudio(
  argument: string,
  { cache, files }: { cache: HttpCache; files: SwitchFiles },
): AudioSource | undefined | Promise<AudioSource | undefined> {
  const file = argument.replace(/^\{[^}]*\}/, '');
  if (file.startsWith('tone_stream://')) return toneStream(file.slice('tone_stream://'.length));
  if (file.startsWith('silence_stream://')) return silence(file.slice('silence_stream://'.length));
  if (file.startsWith('local_stream://')) {
    return { durationMs: Infinity, heard: { kind: 'music' }, sound: undefined };
  }
  const url = file.replace(/^http_cache:\/\//, '');
  if (/^https?:\/\//.test(url)) return prompt(url, cache, argument.includes('refresh=true'));
  const content = files.read(file);
  const sound = content && readWav(content);
  return sound && { durationMs: durationMs(sound), heard: undefined, sound };
}

async function prompt(url: string, cache: HttpCache, refresh: boolean): Promise<AudioSource | undefined> {
  const found = await cache.get(url, refresh);
  if (!found) return undefined;
  return { durationMs: durationMs(found.sound), heard: found.heard, sound: found.sound };
}

/** `%(on,off,frequency…)`, several of them, `;loops=n`: an endless one is a ringing tone, a short one a beep. */
function toneStream(description: string): AudioSource {
  const loops = Number(/;loops=(-?\d+)/.exec(description)?.[1] ?? 1);
  const tones = readTones(description);
  const endless = loops < 0;
  return {
    durationMs: endless ? Infinity : tonesDurationMs(tones) * Math.max(1, loops),
    heard: { kind: endless ? 'ringtone' : 'beep' },
    sound: undefined,
    tone: tonesSound(tones),
  };
}

function silence(description: string): AudioSource {
  const ms = Number.parseInt(description, 10);
  return { durationMs: ms < 0 ? Infinity : ms, heard: undefined, sound: undefined };
}

const SAMPLE_RATE = 8000;
const AMPLITUDE = 6000;

/** One tone of FreeSWITCH's `%(on,off,frequency,…)`, in milliseconds and hertz: several frequencies at once. */
interface Tone {
  readonly onMs: number;
  readonly offMs: number;
  readonly frequencies: readonly number[];
}

/** The tones of a `tone_stream://` description. */
export function readTones(description: string): readonly Tone[] {
  return Array.from(description.matchAll(/%\((\d+),(\d+)((?:,\d+)*)\)/g), ([, on, off, frequencies = '']) => ({
    onMs: Number(on),
    offMs: Number(off),
    frequencies: frequencies.split(',').filter(Boolean).map(Number),
  }));
}

export const tonesDurationMs = (tones: readonly Tone[]): number =>
  tones.reduce((sum, { onMs, offMs }) => sum + onMs + offMs, 0);

/** All tones, one after the other, as sound. */
export function tonesSound(tones: readonly Tone[]): Sound {
  const samples = new Int16Array(Math.round((tonesDurationMs(tones) / 1000) * SAMPLE_RATE));
  let start = 0;
  for (const { onMs, offMs, frequencies } of tones) {
    const length = Math.round((onMs / 1000) * SAMPLE_RATE);
    for (let at = 0; at < length && start + at < samples.length; at += 1) {
      const sum = frequencies.reduce((all, hertz) => all + Math.sin((2 * Math.PI * hertz * at) / SAMPLE_RATE), 0);
      samples[start + at] = Math.round((AMPLITUDE * sum) / Math.max(1, frequencies.length));
    }
    start += length + Math.round((offMs / 1000) * SAMPLE_RATE);
  }
  return { samples, sampleRate: SAMPLE_RATE };
}
