import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readWav, writeWav } from '@parley/audio';
import { joinSpeech, SPEECH_RATE } from '../src/audio/speech-samples.ts';
import { spokenSentences } from './spoken/spoken-sentences.ts';
import { overTelephone, RECORDED_WORDS, recordedSpeech } from './spoken/telephone.ts';
import { startSpeech, type TestSpeech, TIME_LIMIT_MS } from './start-speech.ts';
import { wordErrorRate } from './word-error-rate.ts';

const longTimeout = { timeoutMs: TIME_LIMIT_MS };

let service: TestSpeech;
beforeAll(async () => void (service = await startSpeech()), TIME_LIMIT_MS);
afterAll(() => service.stop());

async function spoken(text: string, language = 'en'): Promise<Int16Array> {
  const { audio } = await service.speech.synthesize({ text, language }, longTimeout);
  return Int16Array.from(readWav(audio)!.channels[0]!, (sample) => sample * 32_767);
}

async function transcribe(audio: Buffer, language = '') {
  const { segments, engine } = await service.speech.transcribe({ audio, language }, longTimeout);
  return { segments, engine, text: segments.map((segment) => segment.text).join(' ') };
}

describe('English over the telephone', () => {
  it.each(Object.entries(spokenSentences))(
    'English over the telephone is recognised by Moonshine with few wrong words: %s',
    async (kind, sentences) => {
      // As messages of up to half a minute, with pauses that keep them apart.
      const samples = await Promise.all(sentences.map((text) => spoken(text)));
      const { text, engine } = await transcribe(overTelephone(joinSpeech(samples, 2500)));
      // The voice is never the same twice: a sentence of it may be left to whisper.
      expect(engine).toMatch(/^moonshine-tiny/);
      expect(wordErrorRate(sentences.join(' '), text)).toBeLessThanOrEqual(kind === 'short' ? 0.35 : 0.18);
    },
    TIME_LIMIT_MS,
  );

  it(
    'English over the telephone is recognised when a person speaks',
    async () => {
      const { text, engine } = await transcribe(await recordedSpeech());
      expect(engine).toBe('moonshine-tiny');
      expect(wordErrorRate(RECORDED_WORDS, text)).toBeLessThanOrEqual(0.1);
    },
    TIME_LIMIT_MS,
  );

  it(
    'English over the telephone without a pause is divided, without a loss of words',
    async () => {
      const sentence = spokenSentences.messages[6]!;
      const speech = await spoken(sentence);
      const six = Array.from({ length: 6 }, () => speech);
      const { text, segments } = await transcribe(overTelephone(joinSpeech(six, 100)));
      expect(segments.length).toBeGreaterThan(1);
      expect(wordErrorRate(`${sentence} `.repeat(6), text)).toBeLessThanOrEqual(0.15);
    },
    TIME_LIMIT_MS,
  );
});

it(
  'another language is left to whisper, also when nobody says which it is',
  async () => {
    const german = await spoken(
      'Guten Tag, hier ist Anna Müller. Ich wollte fragen, wann mein Fahrrad fertig ist.',
      'de',
    );
    for (const language of ['', 'de'])
      expect(await transcribe(overTelephone(german), language)).toMatchObject({ engine: 'whisper-tiny' });
  },
  TIME_LIMIT_MS,
);

it.each<[string, (i: number) => number]>([
  ['a tone', (i) => 8000 * Math.sin((2 * Math.PI * 425 * i) / SPEECH_RATE)],
  ['loud noise', (i) => 6000 * Math.sin(i * i * 1.7)],
  ['an engaged signal', (i) => (Math.floor(i / 8000) % 2) * 8000 * Math.sin((2 * Math.PI * 425 * i) / SPEECH_RATE)],
])(
  'there are no words in %s',
  async (_title, sample) => {
    const samples = Int16Array.from({ length: 6 * SPEECH_RATE }, (_, i) => sample(i));
    expect(await transcribe(writeWav([samples], SPEECH_RATE))).toMatchObject({ text: '' });
  },
  TIME_LIMIT_MS,
);
