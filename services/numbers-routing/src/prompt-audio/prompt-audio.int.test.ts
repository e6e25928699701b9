import { afterAll, afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type MovableClock, movableClock, trackBackgroundWork } from '@parley/clock';
import { type DueWork } from '@parley/aggregates';
import { openUsageQuota, type UsageQuota } from '@parley/mongo';
import type { Logger } from '@parley/telemetry';
import { explainCommand, testMongo, waitUntil } from '@parley/testkit';
import type { Db } from 'mongodb';
import { type Prompt, promptKey } from './prompt.ts';
import type { PromptAudio } from './prompt-audio.ts';
import { openPromptAudios, type PromptAudios } from './prompt-audio-store.ts';
import { startPromptAudioWork } from './prompt-audio-worker.ts';
import type { SynthesizePrompt } from './speech-client.ts';

const mongo = testMongo();
afterAll(() => mongo.close());

const HOUR_MS = 3600_000;
const hello: Prompt = { text: 'Hello', language: 'en', voice: '' };
const key = promptKey(hello);
const order = { companyId: 'com_a', priority: 'interactive' } as const;
const log = { warn: () => {}, error: () => {}, info: () => {}, debug: () => {} } as unknown as Logger;

describe('prompt audio', () => {
  let db: Db;
  let clock: MovableClock;
  let audios: PromptAudios;
  let needed: Set<string>;
  let quota: UsageQuota;
  let synthesizePrompt: jest.Mock<SynthesizePrompt>;
  const working: DueWork[] = [];

  const work = () => {
    const isNeeded = async (one: string) => needed.has(one);
    working.push(
      startPromptAudioWork({
        audios,
        synthesizePrompt,
        isNeeded,
        quota,
        clock,
        backgroundWork: trackBackgroundWork(),
        log,
      }),
    );
  };
  const documents = () => db.collection<Omit<PromptAudio, 'id'> & { _id: string }>('prompts');
  const stored = () => documents().findOne({ _id: key });
  const chunks = () => db.collection('prompt_files.chunks').countDocuments();
  const audible = () => waitUntil(async () => (await audios.request('com_a', [hello])).get(key), { what: 'audio' });

  beforeEach(async () => {
    db = mongo.database('prompt_audio');
    clock = movableClock();
    audios = await openPromptAudios(db, clock);
    quota = await openUsageQuota({ db, collection: 'characters', max: 1000, windowMs: HOUR_MS, clock });
    needed = new Set([key]);
    synthesizePrompt = jest.fn<SynthesizePrompt>(async ({ text }) => ({
      audio: Buffer.from(`sound of ${text}`),
      contentType: 'audio/wav',
      durationMs: 900,
      engine: 'test',
    }));
  });
  afterEach(async () => {
    await Promise.all(working.splice(0).map((one) => one.stop()));
  });

  const read = async (start: number, end: number) => {
    const audio = await audios.get(key);
    const parts = await Array.fromAsync(audios.files.read(audio?.fileId ?? '', start, end));
    return Buffer.concat(parts).toString();
  };

  it('prompt audio is missing at first, queued by the request, and available soon after', async () => {
    expect((await audios.request('com_a', [hello])).size).toBe(0);
    work();
    expect(await audible()).toMatchObject({ key, contentType: 'audio/wav', sizeBytes: 14, durationMs: 900 });
    expect(await read(0, 14)).toBe('sound of Hello');
    expect(await read(6, 8)).toBe('of');
  });

  it('prompt audio is synthesized once for concurrent requests in several processes', async () => {
    work();
    work();
    await Promise.all(Array.from({ length: 20 }, () => audios.request('com_a', [hello])));
    await audible();
    expect(synthesizePrompt).toHaveBeenCalledTimes(1);
  });

  it('prompt audio is tried again while the speech service fails, and stays missing until then', async () => {
    synthesizePrompt.mockRejectedValueOnce(new Error('no voice'));
    work();
    await audios.request('com_a', [hello]);
    await waitUntil(async () => (await stored())?.failures === 1, { what: 'a first failure' });
    expect((await audios.request('com_a', [hello])).size).toBe(0);
    clock.setOffsetMs(2_000);
    await audible();
    expect(synthesizePrompt).toHaveBeenCalledTimes(2);
  });

  it('prompt audio that is no longer needed is dropped from the queue without being synthesized', async () => {
    needed.clear();
    await audios.request('com_a', [hello]);
    work();
    await waitUntil(async () => (await stored()) === null, { what: 'the prompt to be dropped' });
    expect(synthesizePrompt).not.toHaveBeenCalled();
  });

  it('prompt audio that is needed again at the moment it is dropped is queued again', async () => {
    await audios.request('com_a', [hello]);
    const lease = { owner: 'me', until: new Date(Date.now() + 10_000) };
    const audio = await audios.queue.claimNext({ 'due.at': { $lte: clock.now() } }, 'com_a', 100, lease);
    if (!audio) throw new Error('nothing was queued');
    await audios.queue.drop(audio, 'me', async () => true);
    expect(await stored()).toMatchObject({ status: 'pending', claim: null });
    work();
    await audible();
  });

  it('prompt audio is synthesized in the order in which it is needed, whatever is longer', async () => {
    const texts = ['a long text that is needed first', 'b', 'another text'];
    const prompts = texts.map((text, place) => ({ ...hello, text, place }));
    for (const prompt of prompts) needed.add(promptKey(prompt));
    await audios.request('com_a', prompts.toReversed());
    work();
    await waitUntil(() => spoken().length === 3, { what: 'all texts' });
    expect(spoken()).toEqual(texts);
  });

  const spoken = () => synthesizePrompt.mock.calls.map(([{ text }]) => text);
  const queue = async (companyId: string, ...texts: string[]) => {
    const prompts = texts.map((text) => ({ ...hello, text }));
    for (const prompt of prompts) needed.add(promptKey(prompt));
    await audios.request(companyId, prompts);
  };

  it('prompt audio is synthesized for companies in turn, one prompt at a time, short texts first', async () => {
    const first = Promise.withResolvers<void>();
    synthesizePrompt.mockImplementation(async ({ text }) => {
      if (text === 'aa') await first.promise;
      return { audio: Buffer.from(text), contentType: 'audio/wav', durationMs: 1, engine: 'test' };
    });
    await queue('com_a', 'aaaa', 'aa', 'aaa');
    work();
    await waitUntil(() => spoken().includes('aa'), { what: 'the shortest text of the first company' });
    await queue('com_b', 'b');
    await waitUntil(() => spoken().includes('b'), { what: 'the other company' });
    expect(spoken()).toEqual(['aa', 'b']);
    first.resolve();
    await waitUntil(() => spoken().length === 4, { what: 'the rest' });
    expect(spoken()).toEqual(['aa', 'b', 'aaa', 'aaaa']);
  });

  it('prompt audio of a short text does not wait for long ones of any company', async () => {
    const never = new Promise<never>(() => undefined);
    synthesizePrompt.mockImplementation(async ({ text }) =>
      text.length > 600 ? never : { audio: Buffer.from(text), contentType: 'audio/wav', durationMs: 1, engine: 'test' },
    );
    const long = Array.from({ length: 12 }, (_, index) => `com_${index}`);
    quota = { ...quota, take: async () => true };
    for (const companyId of long) await queue(companyId, companyId.padEnd(5000, 'x'));
    work();
    await waitUntil(() => spoken().length === 4, { what: 'as many long texts as may be in progress' });
    await queue('com_b', 'short');
    await waitUntil(() => spoken().includes('short'), { what: 'the short text' });
    expect(spoken()).toHaveLength(5);
  });

  it('prompt audio waits for the next hour once the company has used up its characters', async () => {
    // Not shortly before the next hour.
    const begunMs = quota.msUntilNextWindow();
    clock.setOffsetMs(begunMs);
    await queue('com_a', 'x'.repeat(590), 'y'.repeat(595));
    await queue('com_b', 'z');
    work();
    await waitUntil(() => spoken().length === 2, { what: 'what the quota allows' });
    await waitUntil(
      async () => (await documents().countDocuments({ 'due.at': { $gt: clock.now() }, status: 'pending' })) === 1,
      {
        what: 'the rest to be postponed',
      },
    );
    expect(spoken().toSorted()).toEqual(['x'.repeat(590), 'z']);
    clock.setOffsetMs(begunMs + HOUR_MS);
    await waitUntil(() => spoken().length === 3, { what: 'the next hour' });
  });

  it('prompt audio is synthesized by another process after a crash of the first one', async () => {
    await audios.request('com_a', [hello]);
    const until = new Date(Date.now() - 1);
    await documents().updateOne({ _id: key }, { $set: { claim: { owner: 'dead', until } } });
    work();
    await audible();
  });

  it('prompt audio is removed with its file a day after its last use, and stays while it is used', async () => {
    work();
    await audios.request('com_a', [hello]);
    await audible();
    for (const days of [1, 2, 3]) {
      clock.setOffsetMs(days * 25 * HOUR_MS);
      await waitUntil(async () => ((await stored())?.keepUntil ?? 0) > clock.now(), { what: `review ${days}` });
    }
    expect(await chunks()).toBe(1);
    needed.clear();
    clock.setOffsetMs(5 * 25 * HOUR_MS);
    await waitUntil(async () => (await stored()) === null, { what: 'its end' });
    expect(await chunks()).toBe(0);
    expect(synthesizePrompt).toHaveBeenCalledTimes(1);
  });

  it('prompt audio that was about to be removed is synthesized again when it is needed', async () => {
    await audios.request('com_a', [hello]);
    work();
    await audible();
    await working.splice(0)[0]?.stop();
    await documents().updateOne({ _id: key }, { $set: { status: 'expired' } });
    expect((await audios.request('com_a', [hello])).size).toBe(0);
    expect(await stored()).toMatchObject({ status: 'pending', fileId: null });
    work();
    await audible();
    expect(await chunks()).toBe(1);
  });

  it('prompt audio of a preview is kept for as long as the preview lasts, and shared with the prompt of the same text', async () => {
    const until = new Date(clock.now().getTime() + HOUR_MS);
    await audios.keep('com_a', hello, await synthesizePrompt(hello, order), until);
    expect((await audios.request('com_a', [hello])).size).toBe(1);
    expect(await audios.keepUntil(key, until)).toBe(true);
    expect(await audios.keepUntil(promptKey({ ...hello, text: 'Other' }), until)).toBe(false);
  });

  it('prompt audio of a preview that became no prompt is removed when the preview expires', async () => {
    needed.clear();
    work();
    await audios.keep('com_a', hello, await synthesizePrompt(hello, order), new Date(clock.now().getTime() + HOUR_MS));
    clock.setOffsetMs(HOUR_MS + 1000);
    await waitUntil(async () => (await stored()) === null, { what: 'its end' });
    expect(await chunks()).toBe(0);
  });

  it('prompt audio that was kept meanwhile makes a second preview’s bytes superfluous', async () => {
    const until = new Date(clock.now().getTime() + HOUR_MS);
    const speech = await synthesizePrompt(hello, order);
    await Promise.all([audios.keep('com_a', hello, speech, until), audios.keep('com_a', hello, speech, until)]);
    expect(await chunks()).toBe(1);
  });

  it.each([
    [
      'a company’s shortest prompt',
      { status: 'pending', companyId: 'com_a', textLength: { $lte: 9 } },
      { place: 1, textLength: 1 },
      /^pending_by_company$/,
    ],
    [
      'audio to check or remove',
      { status: { $in: ['ready', 'expired'] }, 'due.at': { $lte: new Date() } },
      { 'due.at': 1 },
      /^(status_)?due$/,
    ],
  ] as const)('prompt audio is found by an index: %s', async (_, filter, sort, index) => {
    const plan = await explainCommand(db, { find: 'prompts', filter, sort });
    expect(plan.index).toMatch(index);
    expect(plan.stages).not.toContain('COLLSCAN');
  });

  it('prompt audio may be larger than a document', async () => {
    const audio = Buffer.alloc(20 * 1024 * 1024, 5);
    audio.write('edge', 256 * 1024 - 2, 'latin1');
    const speech = { audio, contentType: 'audio/wav', durationMs: 1, engine: 'test' };
    await audios.keep('com_a', hello, speech, new Date(clock.now().getTime() + HOUR_MS));
    expect(await read(256 * 1024 - 2, 256 * 1024 + 2)).toBe('edge');
    expect(await read(audio.length - 1, audio.length)).toBe('\x05');
    expect((await audios.get(key))?.sizeBytes).toBe(audio.length);
  });
});
