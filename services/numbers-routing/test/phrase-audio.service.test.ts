import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PhraseAudioService } from '@parley/proto/numbers_routing/v1/phrase_audio_pb';
import type { RpcClient } from '@parley/rpc';
import { newId } from '@parley/secrets';
import { waitUntil } from '@parley/testkit';
import { asEmployee } from '@parley/testkit/service';
import { createNumber } from './create-number.ts';
import { voicemail } from './flow-messages.ts';
import { notFound, refusedWith, startNumbersRouting, type TestNumbersRouting } from './start-numbers-routing.ts';

let parley: TestNumbersRouting;
let phrases: RpcClient<typeof PhraseAudioService>;
beforeAll(async () => {
  parley = await startNumbersRouting({ TEST_CLOCK: 'on', PROMPT_CHARACTERS_PER_HOUR: '10000' });
  phrases = parley.as('assistant').client(PhraseAudioService);
});
afterAll(() => parley?.stop());

let companyId: string;
let ownerId: string;
let id: string;
beforeEach(() => {
  parley.speech.broken = false;
  ({ companyId, ownerId } = parley.directory.createCompany());
  id = newId('x');
});

const owner = 'assistant:ast_1';
const prepare = (texts: string[], more: { owner?: string; urgent?: boolean; voice?: string } = {}) =>
  phrases.preparePhrases({ companyId, owner, language: 'en', texts, ...more });
const bytesOf = async (text: string, voice = '') => {
  const parts = await Array.fromAsync(phrases.getPhraseAudio({ companyId, language: 'en', voice, text }));
  return Buffer.concat(parts.map(({ data }) => data));
};
const audible = (text: string) => waitUntil(() => bytesOf(text), { what: `audio of ${text}` });
const madeOf = (text: string) => parley.speech.synthesized.filter((one) => one.text === text).length;
const stored = (text: string) => parley.db.collection('prompts').countDocuments({ text });

describe('audio of phrases', () => {
  it('audio of phrases is made in the background, and is read as one file', async () => {
    const { phrases: first } = await prepare([`Hello ${id}`, `Bye ${id}`]);
    expect(first).toMatchObject([{ contentHash: expect.stringMatching(/^[0-9a-f]{64}$/) }, {}]);
    expect(first[0]?.audioUrl).toBeUndefined();
    const ready = await waitUntil(
      async () => {
        const { phrases: now } = await prepare([`Hello ${id}`, `Bye ${id}`]);
        return now.every(({ audioUrl }) => audioUrl !== undefined) && now;
      },
      { what: 'both phrases' },
    );
    expect(ready[0]).toMatchObject({
      contentHash: first[0]?.contentHash,
      audioUrl: expect.stringMatching(/^https:\/\/parley\.example\/media\/prompts\//),
      durationMs: `Hello ${id}`.length,
    });
    const bytes = await bytesOf(`Hello ${id}`);
    expect([bytes.subarray(0, 4).toString(), bytes.length]).toEqual(['RIFF', 44 + 2 * `Hello ${id}`.length]);
    expect(madeOf(`Hello ${id}`)).toBe(1);
  });

  it('audio of phrases is shared with a prompt of the same text', async () => {
    const number = await createNumber(parley, companyId);
    const isReady = async () => (await prepare([`Same ${id}`])).phrases[0]?.audioUrl !== undefined;
    await waitUntil(isReady, { what: 'the phrase' });
    await parley.numbers.setIncomingCallConfig(
      { id: number.id, config: voicemail(`Same ${id}`) },
      asEmployee(companyId, ownerId),
    );
    const { view } = await parley.numbers.getBusinessNumber({ id: number.id }, asEmployee(companyId, ownerId));
    const audioUrl = expect.stringContaining('/media/prompts/');
    expect(view?.number?.incomingCallConfig?.config.value).toMatchObject({ greeting: { audioUrl } });
    expect(madeOf(`Same ${id}`)).toBe(1);
  });

  it('audio of phrases that nobody has prepared is not found, and nothing of them is stored', async () => {
    await expect(bytesOf(`Sudden ${id}`)).rejects.toEqual(notFound);
    await prepare([`Known ${id}`]);
    await audible(`Known ${id}`);
    await expect(bytesOf(`Known ${id}`, 'another voice')).rejects.toEqual(notFound);
    expect([await stored(`Sudden ${id}`), madeOf(`Sudden ${id}`), madeOf(`Known ${id}`)]).toEqual([0, 0, 1]);
  });

  it('audio of phrases is made in their order', async () => {
    const release = parley.speech.hold();
    const texts = [`First and longest ${id}`, `Second ${id}`, `Third, longer ${id}`];
    await prepare([`Begins ${id}`, ...texts]);
    await waitUntil(() => madeOf(`Begins ${id}`) === 1, { what: 'the first one to be begun' });
    release();
    for (const text of texts) await audible(text);
    const own = parley.speech.synthesized.map(({ text }) => text).filter((text) => texts.includes(text));
    expect(own).toEqual(texts);
  });

  it('audio of phrases is kept for as long as an owner names its text, and is removed a day after the last one', async () => {
    await prepare([`Kept ${id}`, `Shared ${id}`, `Dropped ${id}`]);
    await prepare([`Shared ${id}`], { owner: 'assistant:ast_2' });
    for (const text of ['Kept', 'Shared', 'Dropped']) await audible(`${text} ${id}`);
    await prepare([`Kept ${id}`]);
    await parley.moveClock(25 * 3600);
    await waitUntil(async () => (await stored(`Dropped ${id}`)) === 0, { what: 'the removal' });
    expect([await stored(`Kept ${id}`), await stored(`Shared ${id}`)]).toEqual([1, 1]);
    await prepare([], { owner: 'assistant:ast_2' });
    await parley.moveClock(50 * 3600);
    await waitUntil(async () => (await stored(`Shared ${id}`)) === 0, { what: 'the removal of the other owner’s' });
    expect((await bytesOf(`Kept ${id}`)).length).toBeGreaterThan(44);
  });

  it('audio of phrases waits for the company’s hourly share, unless somebody waits for it', async () => {
    const texts = Array.from({ length: 11 }, (_, index) => `${index} ${id} `.padEnd(1000, 'x'));
    const made = async () => (await prepare(texts)).phrases.filter(({ audioUrl }) => audioUrl !== undefined).length;
    await waitUntil(async () => (await made()) === 10, { what: 'ten phrases' });
    const urgent = `Urgent ${id}`.padEnd(1000, 'y');
    const isReady = async () =>
      (await prepare([urgent], { owner: 'assistant:ast_2', urgent: true })).phrases[0]?.audioUrl !== undefined;
    await waitUntil(isReady, { what: 'the urgent phrase' });
    expect(await made()).toBe(10);
  });

  it('audio of phrases that could not be made is made by a later request', async () => {
    parley.speech.broken = true;
    await prepare([`Patience ${id}`], { urgent: true });
    await expect(bytesOf(`Patience ${id}`)).rejects.toEqual(notFound);
    parley.speech.broken = false;
    await prepare([`Patience ${id}`], { urgent: true });
    await audible(`Patience ${id}`);
  });

  it('audio of phrases is refused with wrong fields, to other services, and for a company that is being deleted', async () => {
    const wrong = (field: string) =>
      refusedWith({ code: 'validation_failed', fields: { [field]: [expect.any(String)] } });
    await expect(prepare(['x'], { owner: '' })).rejects.toEqual(wrong('owner'));
    await expect(prepare(['x'], { owner: 'x'.repeat(129) })).rejects.toEqual(wrong('owner'));
    await expect(prepare(['x'.repeat(1001)])).rejects.toEqual(wrong('text'));
    await expect(prepare([' '])).rejects.toEqual(wrong('text'));
    await expect(prepare(Array.from({ length: 2001 }, () => 'x'))).rejects.toEqual(wrong('texts'));
    await expect(prepare(['x'], { voice: 'x'.repeat(65) })).rejects.toEqual(wrong('voice'));
    await expect(phrases.preparePhrases({ companyId, owner, language: '', texts: ['x'] })).rejects.toEqual(
      wrong('language'),
    );
    const other = parley.as('call-control').client(PhraseAudioService);
    await expect(other.preparePhrases({ companyId, owner, language: 'en', texts: ['x'] })).rejects.toEqual(
      refusedWith({ code: 'forbidden' }),
    );
    parley.directory.company(companyId).beingDeleted = true;
    await expect(prepare(['x'])).rejects.toEqual(refusedWith({ code: 'deletion_in_progress' }));
    await prepare([]);
  });

  it('audio of phrases is asked for by an owner with two thousand of them in one request', async () => {
    const texts = Array.from({ length: 2000 }, (_, index) => `${index} ${id}`);
    const { phrases: known } = await prepare(texts);
    expect(new Set(known.map(({ contentHash }) => contentHash)).size).toBe(2000);
    await prepare([]);
  });
});
