import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TIME_LIMIT_MS, startSpeech, type TestSpeech } from './start-speech.ts';

const longTimeout = { timeoutMs: TIME_LIMIT_MS };

let service: TestSpeech;
beforeAll(async () => void (service = await startSpeech()), TIME_LIMIT_MS);
afterAll(() => service.stop());

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

describe('embedding', () => {
  it(
    'embedding gives similar texts near vectors',
    async () => {
      const texts = [
        'refund for a broken phone',
        'customer wants money back because the handset stopped working',
        'customer wants money back',
        'please reset my voicemail PIN',
        'the delivery truck arrives on Tuesday',
      ];
      const { vectors, model, dimensions } = await service.speech.embed({ texts }, longTimeout);
      expect({ model, dimensions }).toEqual({ model: 'all-MiniLM-L6-v2-q8', dimensions: 384 });
      const [query, ...rest] = vectors.map(({ values }) => values);
      expect(dot(query!, query!)).toBeCloseTo(1, 3);
      const nearness = rest.map((values) => dot(query!, values));
      expect(nearness).toEqual(nearness.toSorted((a, b) => b - a));
      // The values of the model's publishers for the first two, within the precision of eight bits.
      expect(nearness[0]).toBeCloseTo(0.635, 1);
      expect(nearness[1]).toBeCloseTo(0.467, 1);
    },
    TIME_LIMIT_MS,
  );

  it(
    'embedding takes many texts, empty ones and long ones',
    async () => {
      const texts = [...Array.from({ length: 40 }, (_, i) => `invoice ${i}`), '', 'the parcel is late '.repeat(400)];
      const { vectors } = await service.speech.embed({ texts }, longTimeout);
      expect(vectors).toHaveLength(42);
      for (const { values } of vectors) expect(dot(values, values)).toBeCloseTo(1, 3);
    },
    TIME_LIMIT_MS,
  );

  it('embedding refuses more texts than it takes at once', async () => {
    const many = service.speech.embed({ texts: Array.from({ length: 257 }, () => 'x') });
    await expect(many).rejects.toMatchObject({ refusal: { code: 'validation_failed' } });
  });
});

describe('a summary', () => {
  const call = [
    'Hello, thank you for calling Northwind support, my name is Anna.',
    'Hi Anna, how are you today?',
    'I am fine, thank you very much.',
    'I bought a phone from you three weeks ago and it stopped working yesterday.',
    'Oh no, I am sorry to hear that.',
    'The screen is black and it does not charge any more.',
    'Did you try another charger?',
    'Yes, I tried two other chargers and nothing happened.',
    'I would like a refund for the broken phone, please.',
    'Okay, one moment, I will look that up.',
    'You are within thirty days, so you can get a full refund for the phone.',
    'That is great, thank you.',
    'I will send you a return label for the broken phone by e-mail today.',
    'Please put the phone into a box and stick the return label on it.',
    'The weather is awful here, it has been raining all week.',
    'Yes, here it is the same.',
    'We will call you back on Monday when the phone has arrived and the refund is paid.',
    'Perfect, thank you for your help.',
    'Have a nice day, goodbye.',
  ];

  it(
    'a summary consists of the key sentences of a call',
    async () => {
      const segments = call.map((text, i) => ({ channel: i % 2, startMs: i * 4000, endMs: i * 4000 + 3000, text }));
      const { summary, engine } = await service.speech.summarize({ segments, language: 'en' }, longTimeout);
      expect(engine).toBe('lexrank-embeddings');
      expect(summary).toMatch(/refund/);
      expect(summary).toMatch(/return label/);
      expect(summary).not.toMatch(/weather|How are you|nice day/i);
      const kept = call.filter((sentence) => summary.includes(sentence));
      expect(kept).toHaveLength(4);
      expect(kept.join(' ')).toBe(summary);
    },
    TIME_LIMIT_MS,
  );

  it('a summary compares words where the model does not support the language', async () => {
    const text =
      'Guten Tag, hier ist Meier. Ich habe vor drei Wochen ein Telefon gekauft, und das Telefon ist kaputt. ' +
      'Das tut mir leid. Ich möchte das kaputte Telefon zurückgeben und das Geld zurück. Moment bitte. ' +
      'Wir schicken Ihnen heute ein Etikett für die Rücksendung, dann bekommen Sie Ihr Geld für das Telefon zurück. Danke schön.';
    const { summary, engine } = await service.speech.summarize({ text, language: 'de', sentencesMax: 2 }, longTimeout);
    expect(engine).toBe('lexrank-tf-idf');
    expect(summary).toMatch(/Telefon/);
    expect(summary).not.toMatch(/Moment bitte|Danke schön/);
  });

  it('a summary is the whole text where it is short, and empty for an empty text', async () => {
    const short = await service.speech.summarize(
      { text: 'Please call me back. It is urgent.', language: 'en' },
      longTimeout,
    );
    expect(short.summary).toBe('Please call me back. It is urgent.');
    expect((await service.speech.summarize({ text: '  ', language: 'en' })).summary).toBe('');
  });
});
