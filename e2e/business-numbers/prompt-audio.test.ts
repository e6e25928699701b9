import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Company, createTestCompany, send } from '../support/api.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { createNumber } from './create-number.ts';

/** The first synthesis of a language may have to wait until its voice has been downloaded. */
const FIRST_WORD_MS = 240_000;

let company: Company;
let id: string;

beforeAll(async () => {
  company = await createTestCompany();
  id = (await createNumber(company)).body.id;
});

const preview = (body: unknown, who = company) => who.call('POST', `/business_numbers/${id}/voice_previews`, body);

/** Retries until the speech service is ready: before that the response is 500. */
const heard = (text: string) =>
  waitUntil(
    async () => {
      const made = await preview({ kind: 'greeting', text });
      expect([201, 500]).toContain(made.status);
      return made.status === 201 && made;
    },
    { what: `a preview of ${text}`, timeoutMs: FIRST_WORD_MS },
  );

describe('a voice preview', () => {
  it.each([
    [{}, 'invalid_kind'],
    [[], 'invalid_kind'],
    [{ kind: 'song', text: 'x' }, 'invalid_kind'],
    [{ kind: 5, text: '' }, 'invalid_kind'],
    [{ kind: 'welcome' }, 'blank_text'],
    [{ kind: 'welcome', text: '  ' }, 'blank_text'],
    [{ kind: 'welcome', text: 5 }, 'blank_text'],
    [{ kind: 'welcome', text: null }, 'blank_text'],
  ])('a voice preview of %j is 422 %s', async (body, code) => {
    const refused = await preview(body);
    expect([refused.status, refused.body.code]).toEqual([422, code]);
  });

  it(
    'a voice preview can be fetched, completely or by ranges, with its signed address',
    async () => {
      const { body } = await heard('Thank you for calling.');
      expect(body).toEqual({
        audio_url: expect.any(String),
        signed_id: expect.any(String),
        expires_at: expect.any(String),
      });
      const whole = await send('GET', body.audio_url);
      const size = Number(whole.headers.get('content-length'));
      expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'audio/wav']);
      expect(size).toBeGreaterThan(10_000);
      const part = await send('GET', body.audio_url, { headers: { Range: 'bytes=0-3' } });
      expect([part.status, part.text, part.headers.get('content-range')]).toEqual([206, 'RIFF', `bytes 0-3/${size}`]);
      const beyond = await send('GET', body.audio_url, { headers: { Range: `bytes=${size}-` } });
      expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${size}`]);
      const again = await send('GET', body.audio_url, {
        headers: { 'If-None-Match': whole.headers.get('etag') ?? '' },
      });
      expect([again.status, again.text]).toEqual([304, '']);
      for (const forged of [body.audio_url.replace(/sig=./, 'sig=~'), body.audio_url.replace(/&?sig=.*/, '')])
        expect((await send('GET', forged)).status).toBe(404);
    },
    FIRST_WORD_MS,
  );

  it(
    'a voice preview can be had thirty times a minute, exactly',
    async () => {
      await heard('Again and again.');
      const fresh = await createTestCompany();
      const { id: number } = (await createNumber(fresh)).body;
      const path = `/business_numbers/${number}/voice_previews`;
      await fresh.call('POST', path, { kind: 'wrong', text: 'x' });
      const replies = await Promise.all(
        Array.from({ length: 40 }, () => fresh.call('POST', path, { kind: 'greeting', text: 'Again and again.' })),
      );
      const statuses = replies.map(({ status }) => status).sort();
      expect(statuses).toEqual([...Array.from({ length: 30 }, () => 201), ...Array.from({ length: 10 }, () => 429)]);
    },
    FIRST_WORD_MS,
  );
});

describe('the audio of a prompt', () => {
  it(
    'the audio of a prompt is generated automatically, changes with the text and is never outdated',
    async () => {
      const say = (words: string) =>
        company.call('PUT', `/business_numbers/${id}/incoming_call_config`, {
          type: 'VoicemailConfig',
          greeting: `${words} This is number ${own}.`,
        });
      // Equal texts share their audio; this one is unique.
      const own = Math.floor(Math.random() * 1e9);
      const url = async () =>
        (await company.call('GET', `/business_numbers/${id}`)).body.incoming_call_config.greeting_audio_url;
      const set = await say('Please leave a message.');
      expect(set.body.incoming_call_config.greeting_audio_url).toBeNull();
      const first = await waitUntil(url, { what: 'audio', timeoutMs: FIRST_WORD_MS });
      expect((await send('GET', first)).headers.get('cache-control')).toContain('immutable');
      await say('Please leave another message.');
      expect([null, first]).not.toContain(await waitUntil(url, { what: 'other audio', timeoutMs: FIRST_WORD_MS }));
      await say('Please leave a message.');
      expect(await url()).toBe(first);
    },
    FIRST_WORD_MS,
  );
});
