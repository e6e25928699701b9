import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startSpeech, type TestSpeech } from '../../services/speech/test/start-speech.ts';
import { wordErrorRate } from '../../services/speech/test/word-error-rate.ts';
import { createNumber } from '../business-numbers/create-number.ts';
import { type Company, createTestCompany, sandbox } from '../support/api.ts';
import { type LocalStack, startLocalStack } from '../support/local-stack.ts';
import { waitUntil } from '@parley/testkit/wait-until';

/** The first synthesis on a machine waits until its voice has been downloaded. */
const FIRST_WORD_MS = 240_000;

// A separate stack: its faults would affect every other test.
let stack: LocalStack;
let recogniser: TestSpeech;
let company: Company;

beforeAll(async () => {
  [stack, recogniser] = await Promise.all([startLocalStack(), startSpeech()]);
  company = await createTestCompany(stack.local);
}, FIRST_WORD_MS);
afterAll(async () => {
  await sandbox(stack.local, 'DELETE', '/faults');
  await Promise.all([recogniser.stop(), stack.stop()]);
});

async function aNumber(language: string): Promise<string> {
  const { body } = await createNumber(company, { language }, stack.local);
  return body.id;
}

const preview = (number: string, text: string) =>
  company.call('POST', `/business_numbers/${number}/voice_previews`, { kind: 'greeting', text });

const heard = (number: string, text: string) =>
  waitUntil(
    async () => {
      const { status, body } = await preview(number, text);
      expect([201, 500]).toContain(status);
      return status === 201 && new Uint8Array(await (await fetch(body.audio_url)).arrayBuffer());
    },
    { what: 'a preview', timeoutMs: FIRST_WORD_MS },
  );

describe('a voice preview', () => {
  it(
    'contains the words of its text',
    async () => {
      const text = 'Thank you for calling. All our agents are busy at the moment, so please leave a message.';
      const audio = await heard(await aNumber('en'), text);
      const { segments } = await recogniser.speech.transcribe({ audio, language: 'en' }, { timeoutMs: FIRST_WORD_MS });
      expect(wordErrorRate(text, segments.map((segment) => segment.text).join(' '))).toBeLessThanOrEqual(0.25);
    },
    FIRST_WORD_MS,
  );

  it(
    'fails while speech is broken, is late while it is slow, and comes again',
    async () => {
      const number = await aNumber('da');
      await heard(number, 'Velkommen.');
      await sandbox(stack.local, 'PUT', '/faults', { speech: 'fail' });
      expect(await preview(number, 'Farvel.')).toMatchObject({ status: 500, body: { error: 'speech_failed' } });
      await sandbox(stack.local, 'PUT', '/faults', { speech: 'slow' });
      const started = performance.now();
      expect((await preview(number, 'Farvel og tak.')).status).toBe(201);
      expect(performance.now() - started).toBeGreaterThan(4000);
      await sandbox(stack.local, 'DELETE', '/faults');
      expect((await preview(number, 'Farvel igen.')).status).toBe(201);
    },
    FIRST_WORD_MS,
  );
});

describe('the prompts of two companies', () => {
  it(
    'are synthesized in turn: forty changes of ten long prompts do not delay another company’s greeting',
    async () => {
      const other = await createTestCompany(stack.local);
      const theirs = (await createNumber(other, { language: 'da' }, stack.local)).body.id;
      const number = await aNumber('da');
      await heard(number, 'Klar.');
      const path = `/business_numbers/${number}/incoming_call_config`;
      const long = (round: number, key: number) =>
        `Tast ${key} ${round}. ${'Vi har åbent hver dag. '.repeat(450)}`.slice(0, 10_000);
      for (let round = 0; round < 40; round++) {
        const menu_options = Array.from({ length: 9 }, (_, index) => ({
          digit: String(index + 1),
          action_type: 'PlayMessageConfig',
          prompt: long(round, index + 1),
        }));
        const changed = await company.call('PUT', path, {
          type: 'PhoneMenuConfig',
          welcome: long(round, 0),
          menu_options,
        });
        expect(changed.status).toBe(200);
      }
      const started = performance.now();
      const greeting = `Velkommen til nummer ${Math.random()}.`;
      await other.call('PUT', `/business_numbers/${theirs}/incoming_call_config`, {
        type: 'VoicemailConfig',
        greeting,
      });
      await waitUntil(
        async () => {
          const { body } = await other.call('GET', `/business_numbers/${theirs}`);
          return body.incoming_call_config.greeting_audio_url;
        },
        { what: 'the greeting of the other company' },
      );
      expect(performance.now() - started).toBeLessThan(10_000);
      // Drops what is still queued.
      await company.call('PUT', path, { type: 'VoicemailConfig', greeting: 'Klar.' });
    },
    FIRST_WORD_MS,
  );
});
