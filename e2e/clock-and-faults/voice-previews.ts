import { beforeAll, expect, it } from '@jest/globals';
import { readWav } from '@parley/audio';
import { loudness } from '../../services/speech/src/audio/loudness.ts';
import { createNumber } from '../business-numbers/create-number.ts';
import { clearFaults, type Company, createTestCompany, setFaults, succeeded } from '../support/api.ts';
import type { LocalStack } from '../support/local-stack.ts';
import { waitUntil } from '@parley/testkit/wait-until';

/** The first synthesis on a machine waits until its voice has been downloaded. */
const FIRST_WORD_MS = 240_000;

export function testVoicePreviews(stack: LocalStack): void {
  let company: Company;
  beforeAll(async () => void (company = await createTestCompany(stack.local)));

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

  // The tests of services/speech recognise the spoken words.
  it(
    'speak the whole text',
    async () => {
      const text = 'Tak fordi du ringer. Alle vores medarbejdere er optaget, så læg venligst en besked.';
      const { channels, rate } = readWav(await heard(await aNumber('da'), text))!;
      const samples = channels[0]!;
      // People say ten to twenty-five characters in a second.
      expect(samples.length / rate).toBeGreaterThan(text.length / 25);
      expect(samples.length / rate).toBeLessThan(text.length / 10);
      const levels = loudness(samples, rate / 50);
      expect(levels.filter((level) => level > 0.01).length / levels.length).toBeGreaterThan(0.6);
    },
    FIRST_WORD_MS,
  );

  it(
    'fail while speech is broken, are late while it is slow, and work again',
    async () => {
      const number = await aNumber('da');
      await heard(number, 'Velkommen.');
      await setFaults(stack.local, { speech: 'fail' });
      expect(await preview(number, 'Farvel.')).toMatchObject({ status: 500, body: { error: 'speech_failed' } });
      await setFaults(stack.local, { speech: 'slow' });
      const started = performance.now();
      expect((await preview(number, 'Farvel og tak.')).status).toBe(201);
      expect(performance.now() - started).toBeGreaterThan(4000);
      await clearFaults(stack.local);
      expect((await preview(number, 'Farvel igen.')).status).toBe(201);
    },
    FIRST_WORD_MS,
  );

  it(
    'and prompts of companies are synthesized in turn: forty changes of ten long prompts do not delay another company’s greeting',
    async () => {
      const other = await createTestCompany(stack.local);
      const theirs = (await createNumber(other, { language: 'da' }, stack.local)).body.id;
      const number = await aNumber('da');
      const before = performance.now();
      await heard(number, 'Klar.');
      // The present speed of synthesis on this machine; a greeting waits for a few pieces of the other prompts.
      const aloneMs = performance.now() - before;
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
      const greeting = `Velkommen til nummer ${Math.random()}.`;
      const config = { type: 'VoicemailConfig', greeting };
      await succeeded(other.call('PUT', `/business_numbers/${theirs}/incoming_call_config`, config));
      const configOf = async (owner: Company, id: string) =>
        (await succeeded(owner.call('GET', `/business_numbers/${id}`))).body.incoming_call_config;
      await waitUntil(async () => (await configOf(other, theirs)).greeting_audio_url, {
        what: 'the greeting of the other company',
        timeoutMs: Math.max(FIRST_WORD_MS / 2, 60 * aloneMs),
      });
      // Long prompts that were requested before it are still waiting, however fast or slow the machine is.
      const { menu_options: options } = await configOf(company, number);
      expect(options.map((option: { prompt_audio_url: string | null }) => option.prompt_audio_url)).toContain(null);
      // Drops what is still queued.
      await succeeded(company.call('PUT', path, { type: 'VoicemailConfig', greeting: 'Klar.' }));
    },
    4 * FIRST_WORD_MS,
  );
}
