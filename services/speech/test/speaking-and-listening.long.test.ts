import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readWav, resample, writeWav } from '@parley/audio';
import { loudness } from '../src/audio/loudness.ts';
import { TIME_LIMIT_MS, startSpeech, type TestSpeech } from './start-speech.ts';
import { wordErrorRate } from './word-error-rate.ts';

const longTimeout = { timeoutMs: TIME_LIMIT_MS };

let service: TestSpeech;
beforeAll(async () => void (service = await startSpeech()), TIME_LIMIT_MS);
afterAll(() => service.stop());

/** The duration of audible sound, and its level. */
function measure(audio: Uint8Array): { secs: number; soundSecs: number; level: number } {
  const { rate, channels } = readWav(audio)!;
  const levels = loudness(channels[0]!, rate / 50);
  const loud = levels.filter((level) => level > 0.01);
  return {
    secs: channels[0]!.length / rate,
    soundSecs: loud.length / 50,
    level: loud.reduce((sum, level) => sum + level, 0) / loud.length,
  };
}

describe('speaking', () => {
  it(
    'speaking synthesizes English that a recogniser understands',
    async () => {
      const text = 'Welcome to our support line. Please wait while we connect you to the next free agent.';
      const spoken = await service.speech.synthesize({ text, language: 'en' }, longTimeout);
      expect(spoken).toMatchObject({ contentType: 'audio/wav', engine: 'dittli-en' });
      const { segments, durationMs } = await service.speech.transcribe(
        { audio: spoken.audio, language: 'en' },
        longTimeout,
      );
      expect(durationMs).toBe(spoken.durationMs);
      expect(wordErrorRate(text, segments.map((segment) => segment.text).join(' '))).toBeLessThanOrEqual(0.2);
    },
    TIME_LIMIT_MS,
  );

  it.each([
    ['de', 'dittli-de', 'Vielen Dank für Ihren Anruf. Bitte bleiben Sie in der Leitung, wir sind gleich für Sie da.'],
    ['da', 'espeak-ng', 'Tak fordi du ringer. Bliv venligst på linjen, vi er klar om et øjeblik.'],
    ['fr', 'espeak-ng', 'Merci de votre appel. Veuillez rester en ligne, nous sommes à vous dans un instant.'],
    ['es', 'espeak-ng', 'Gracias por su llamada. Permanezca en línea, le atenderemos en un momento.'],
    ['pt-BR', 'espeak-ng', 'Obrigado por ligar. Aguarde na linha, por favor, já vamos atender.'],
  ])(
    'speaking synthesizes %s with a plausible duration',
    async (language, engine, text) => {
      const spoken = await service.speech.synthesize({ text, language }, longTimeout);
      expect(spoken.engine).toBe(engine);
      const { secs, soundSecs, level } = measure(spoken.audio);
      expect(spoken.durationMs / 1000).toBeCloseTo(secs, 1);
      // People say ten to twenty-five characters in a second.
      expect(secs).toBeGreaterThan(text.length / 25);
      expect(secs).toBeLessThan(text.length / 10);
      expect(soundSecs / secs).toBeGreaterThan(0.6);
      expect(level).toBeGreaterThan(0.03);
    },
    TIME_LIMIT_MS,
  );

  it.each(['tlh', 'not a language', '', 'xx-YY'])(
    'speaking falls back to English for "%s"',
    async (language) => {
      const { engine, audio } = await service.speech.synthesize({ text: 'Hello there.', language }, longTimeout);
      expect(engine).toBe('dittli-en');
      expect(measure(audio).soundSecs).toBeGreaterThan(0.4);
    },
    TIME_LIMIT_MS,
  );

  it(
    'speaking synthesizes a text of many sentences completely, in 16 kHz, 16 bit, one channel',
    async () => {
      const text = 'Our office is closed today, and we open again tomorrow at nine in the morning. '.repeat(4);
      const { audio } = await service.speech.synthesize({ text, language: 'en' }, longTimeout);
      const format = Buffer.from(audio);
      expect([
        format.readUInt16LE(20),
        format.readUInt16LE(22),
        format.readUInt32LE(24),
        format.readUInt16LE(34),
      ]).toEqual([1, 1, 16_000, 16]);
      expect(measure(audio).secs).toBeGreaterThan(14);
    },
    TIME_LIMIT_MS,
  );

  it('speaking is a short silence for an empty text', async () => {
    const { audio, durationMs } = await service.speech.synthesize({ text: '🙂 …', language: 'en' }, longTimeout);
    expect(durationMs).toBe(500);
    expect(measure(audio).soundSecs).toBe(0);
  });

  it('speaking refuses a blank text and one that is too long', async () => {
    const refused = (text: string) => service.speech.synthesize({ text, language: 'en' });
    await expect(refused(' \n ')).rejects.toMatchObject({ refusal: { code: 'validation_failed' } });
    await expect(refused('word '.repeat(700))).rejects.toMatchObject({
      refusal: { fields: { text: [expect.any(String)] } },
    });
  });

  it('speaking serves only authorized services', async () => {
    const foreign = service.as('directory').synthesize({ text: 'Hello', language: 'en' });
    await expect(foreign).rejects.toMatchObject({ refusal: { code: 'forbidden' } });
  });
});

describe('listening', () => {
  /** Two speakers who take turns, each on their own channel, on a line of 8 kHz as recordings have it. */
  async function conversation(lines: readonly string[]): Promise<{ wav: Buffer; startsMs: number[] }> {
    const pause = 4000;
    const spoken: Float32Array[] = [];
    for (const text of lines) {
      const { audio } = await service.speech.synthesize({ text, language: 'en' }, longTimeout);
      spoken.push(resample(readWav(audio)!.channels[0]!, 16_000, 8000));
    }
    const starts = spoken.map((_, i) => spoken.slice(0, i).reduce((sum, { length }) => sum + length + pause, 0));
    const samples = new Int16Array(2 * (starts.at(-1)! + spoken.at(-1)!.length));
    spoken.forEach((line, i) => line.forEach((value, j) => (samples[2 * (starts[i]! + j) + (i % 2)] = value * 32_767)));
    const wav = writeWav([samples], 8000);
    // The header states one channel; these are two.
    wav.writeUInt16LE(2, 22);
    wav.writeUInt32LE(8000 * 4, 28);
    wav.writeUInt16LE(4, 32);
    return { wav, startsMs: starts.map((start) => start / 8) };
  }

  it(
    'listening assigns words to speakers and times',
    async () => {
      const lines = [
        'I would like a refund for my broken phone.',
        'Of course. Do you still have the receipt?',
        'Yes, I have it here with me.',
        'Then I will send you a return label today.',
      ];
      const { wav, startsMs } = await conversation(lines);
      const transcript = await service.speech.transcribe({ audio: wav, language: 'en', startMs: 60_000 }, longTimeout);
      expect(transcript).toMatchObject({ channelCount: 2, engine: 'moonshine-tiny' });
      const textOn = (channel: number) =>
        transcript.segments
          .filter((segment) => segment.channel === channel)
          .map(({ text }) => text)
          .join(' ');
      expect(wordErrorRate(`${lines[0]} ${lines[2]}`, textOn(0))).toBeLessThanOrEqual(0.3);
      expect(wordErrorRate(`${lines[1]} ${lines[3]}`, textOn(1))).toBeLessThanOrEqual(0.3);
      const speakers = transcript.segments.map(({ channel }) => channel);
      expect(speakers.filter((channel, i) => channel !== speakers[i - 1])).toEqual([0, 1, 0, 1]);
      const last = transcript.segments.at(-1)!;
      expect(last.endMs).toBeGreaterThan(60_000 + startsMs[3]!);
      expect(last.startMs).toBeGreaterThan(60_000 + startsMs[3]! - 1000);
    },
    TIME_LIMIT_MS,
  );

  it('listening recognises nothing in silence and in line noise', async () => {
    const noise = Int16Array.from({ length: 16_000 * 5 }, (_, i) => Math.round(40 * Math.sin(i * i)));
    for (const samples of [new Int16Array(16_000 * 5), noise, new Int16Array()]) {
      const { segments } = await service.speech.transcribe(
        { audio: writeWav([samples], 16_000), language: 'en' },
        longTimeout,
      );
      expect(segments).toEqual([]);
    }
  });

  it('listening refuses what is not a WAV file', async () => {
    const garbage = service.speech.transcribe({ audio: Buffer.from('ID3 not a wav file at all'), language: 'en' });
    await expect(garbage).rejects.toMatchObject({ refusal: { code: 'validation_failed' } });
  });

  it(
    'listening transcribes a long recording in pieces with the same result as in one piece',
    async () => {
      const lines = [
        'Good morning, this is the flower shop at the station.',
        'Hello, I would like to order twenty red roses for Saturday.',
        'Of course. Would you like us to deliver them to your home?',
        'No thank you, I will collect them myself in the afternoon.',
      ];
      const { wav } = await conversation(lines);
      const samples = wav.subarray(44);
      const bytesPerMs = 8 * 4;
      const totalMs = samples.length / bytesPerMs;
      const pieceMs = 7000;
      const segments: { text: string; channel: number; startMs: number }[] = [];
      let transcribedUntilMs: number[] = [];
      let pieces = 0;
      for (let startMs = 0; startMs < totalMs; pieces += 1) {
        const moreFollows = startMs + pieceMs < totalMs;
        const bytes = samples.subarray(startMs * bytesPerMs, (startMs + pieceMs) * bytesPerMs);
        const audio = Buffer.concat([wav.subarray(0, 44), bytes]);
        audio.writeUInt32LE(bytes.length, 40);
        const request = { audio, language: 'en', startMs, moreFollows, transcribedUntilMs, companyId: 'com_a' };
        const transcribed = await service.speech.transcribe(request, longTimeout);
        segments.push(...transcribed.segments);
        transcribedUntilMs = transcribed.transcribedUntilMs;
        if (!moreFollows) break;
        expect(transcribed.continueAtMs).toBeGreaterThan(startMs);
        startMs = transcribed.continueAtMs;
      }
      expect(pieces).toBeGreaterThan(1);
      const inOrder = segments.toSorted((a, b) => a.startMs - b.startMs);
      expect(wordErrorRate(lines.join(' '), inOrder.map(({ text }) => text).join(' '))).toBeLessThanOrEqual(0.2);
      const words = (channel: number) =>
        inOrder
          .filter((one) => one.channel === channel)
          .map(({ text }) => text)
          .join(' ');
      expect(words(0)).toMatch(/flower shop/i);
      expect(words(1)).toMatch(/saturday/i);
    },
    TIME_LIMIT_MS,
  );
});
