import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@parley/secrets';
import { BusinessNumberAdminService, BusinessNumberService } from '@parley/proto/numbers_routing/v1/numbers_pb';
import {
  PromptAudioService,
  PromptContentService,
  VoicePreviewService,
} from '@parley/proto/numbers_routing/v1/prompt_audio_pb';
import { RoutingService } from '@parley/proto/numbers_routing/v1/routing_pb';
import type { RpcClient } from '@parley/rpc';
import { waitUntil } from '@parley/testkit';
import { asEmployee, asOperator } from '@parley/testkit/service';
import { menuOfPrompts, reject, voicemail } from './flow-messages.ts';
import { startNumbersRouting, type TestNumbersRouting } from './start-numbers-routing.ts';

let parley: TestNumbersRouting;
let numbers: RpcClient<typeof BusinessNumberService>;
let previews: RpcClient<typeof VoicePreviewService>;
let audio: RpcClient<typeof PromptAudioService>;
beforeAll(async () => {
  parley = await startNumbersRouting();
  numbers = parley.as('gateway').client(BusinessNumberService);
  previews = parley.as('gateway').client(VoicePreviewService);
  audio = parley.as('gateway').client(PromptAudioService);
});
afterAll(() => parley?.stop());

let last = 71_000_000;
let me: ReturnType<typeof asEmployee>;
let id: string;
beforeEach(async () => {
  parley.speech.broken = false;
  parley.speech.busyMs = 0;
  const { companyId, ownerId } = parley.directory.createCompany();
  me = asEmployee(companyId, ownerId);
  const request = { companyId, number: `+45${(last += 1)}`, name: 'N', timezone: 'UTC', language: 'en' };
  const admin = parley.as('gateway').client(BusinessNumberAdminService);
  id = (await admin.createBusinessNumber(request, asOperator)).view?.number?.id ?? '';
});

const refusedWith = (code: string) => expect.objectContaining({ refusal: expect.objectContaining({ code }) });

const say = (greeting: string) => numbers.setIncomingCallConfig({ id, config: voicemail(greeting) }, me);

async function greetingUrl(): Promise<string | undefined> {
  const { view } = await numbers.getBusinessNumber({ id }, me);
  const config = view?.number?.incomingCallConfig?.config;
  return config?.case === 'voicemail' ? config.value.greeting?.audioUrl : undefined;
}

const audibleUrl = () => waitUntil(greetingUrl, { what: 'an audio address' });

function signedAudio(url: string) {
  const { pathname, searchParams } = new URL(url);
  const hash = pathname.split('/').at(-1) ?? '';
  return { hash, expires: BigInt(searchParams.get('expires') ?? 0), signature: searchParams.get('sig') ?? '' };
}

const sizeAt = async (url: string) => Number((await audio.statPromptAudio({ audio: signedAudio(url) })).sizeBytes);

describe('the audio of a prompt', () => {
  it('the audio of a prompt is not there at once, and then at a signed address that only the gateway may open', async () => {
    const text = `Hello ${newId('x')}`;
    await say(text);
    const url = await audibleUrl();
    expect(url).toMatch(/^https:\/\/parley\.example\/media\/prompts\/[0-9a-f]{64}\?sig=[\w-]+$/);
    expect(await sizeAt(url)).toBe(44 + 2 * text.length);
    const parts = audio.readPromptAudio({ audio: signedAudio(url), start: 0n, end: 4n });
    expect(Buffer.concat((await Array.fromAsync(parts)).map(({ data }) => data)).toString()).toBe('RIFF');
    const forged = { ...signedAudio(url), signature: 'A'.repeat(32) };
    await expect(audio.statPromptAudio({ audio: forged })).rejects.toEqual(refusedWith('not_found'));
    await expect(Array.fromAsync(audio.readPromptAudio({ audio: forged, end: 4n }))).rejects.toEqual(
      refusedWith('not_found'),
    );
    const asOther = parley.as('directory').client(PromptAudioService);
    await expect(asOther.statPromptAudio({ audio: signedAudio(url) })).rejects.toEqual(refusedWith('forbidden'));
  });

  it('the audio of a prompt is another, and missing at first, as soon as the text or the language changes', async () => {
    await say(`First ${id}`);
    const first = await audibleUrl();
    parley.speech.broken = true;
    await say(`Second ${id}`);
    expect(await greetingUrl()).toBeUndefined();
    await say(`First ${id}`);
    expect(await greetingUrl()).toBe(first);
    await numbers.updateBusinessNumber({ id, language: 'da' }, me);
    expect(await greetingUrl()).toBeUndefined();
    parley.speech.broken = false;
    expect(await audibleUrl()).not.toBe(first);
    expect(parley.speech.synthesized).toContainEqual({ text: `First ${id}`, language: 'da' });
  });

  it('the audio of a prompt is synthesized once for equal texts, wherever they are used', async () => {
    const text = `Same ${id}`;
    await say(text);
    await audibleUrl();
    await numbers.setNoAnswerConfig({ id, config: reject(text) }, me);
    const { view } = await numbers.getBusinessNumber({ id }, me);
    expect(view?.number?.noAnswerConfig?.config).toMatchObject({
      value: { message: { audioUrl: await greetingUrl() } },
    });
    expect(parley.speech.synthesized.filter((one) => one.text === text)).toHaveLength(1);
  });

  it('the audio of a prompt of the longest text is synthesized in parts and is one file', async () => {
    const text = `The office of ${id} is closed. `.repeat(200).slice(0, 10_000).trim();
    await say(text);
    const size = await sizeAt(await audibleUrl());
    const synthesized = parley.speech.synthesized.filter((one) => one.text.includes(id));
    expect(synthesized.length).toBeGreaterThan(10);
    expect(size).toBe(44 + 2 * synthesized.reduce((sum, one) => sum + one.text.length, 0));
  });

  it('the audio of a prompt is missing while the speech service is away, and the number is saved all the same', async () => {
    parley.speech.broken = true;
    await say(`Patience ${id}`);
    expect(await greetingUrl()).toBeUndefined();
    parley.speech.broken = false;
    await audibleUrl();
  });
});

describe('a prompt of a call', () => {
  const content = () => parley.as('call-control').client(PromptContentService);
  const resolve = async () => {
    const { view } = await numbers.getBusinessNumber({ id }, me);
    const routing = parley.as('call-control').client(RoutingService);
    const { flow } = await routing.resolveRoute({
      number: view?.number?.number ?? '',
      at: { seconds: 1_767_614_400n },
    });
    if (flow?.config.case !== 'voicemail') throw new Error('not the flow that was set');
    return flow.config.value.greeting;
  };

  it('a prompt of a call is synthesized at once, although the queue is stuck, and read by its content hash', async () => {
    parley.speech.broken = true;
    const text = `A caller waits ${id}`;
    await say(text);
    const { contentHash = '', durationMs } = (await resolve()) ?? {};
    expect(durationMs).toBeUndefined();
    await expect(Array.fromAsync(content().readPrompt({ contentHash }))).rejects.toEqual(refusedWith('not_found'));
    expect((await content().ensurePromptAudio({ contentHashes: [contentHash] })).prompts).toEqual([]);
    parley.speech.broken = false;
    const { prompts } = await content().ensurePromptAudio({ contentHashes: [contentHash] });
    const size = 44 + 2 * text.length;
    expect(prompts).toMatchObject([{ contentHash, durationMs: text.length, sizeBytes: BigInt(size) }]);
    const parts = await Array.fromAsync(content().readPrompt({ contentHash }));
    expect(parts[0]?.sizeBytes).toBe(BigInt(size));
    const wav = Buffer.concat(parts.map(({ data }) => data));
    expect([wav.length, wav.toString('latin1', 0, 4)]).toEqual([size, 'RIFF']);
    expect((await resolve())?.durationMs).toBe(text.length);
  });

  it('a prompt of a call is waited for only as long as the request allows', async () => {
    const release = parley.speech.hold();
    await say(`Slow ${id}`);
    const { contentHash = '' } = (await resolve()) ?? {};
    const ensure = async (waitMs?: number) =>
      (await content().ensurePromptAudio({ contentHashes: [contentHash], waitMs })).prompts;
    const patient = ensure();
    expect(await ensure(50)).toEqual([]);
    release();
    expect(await patient).toHaveLength(1);
    // Both callers share one request, beside that of the queue if it was earlier.
    expect([1, 2]).toContain(parley.speech.synthesized.filter(({ text }) => text === `Slow ${id}`).length);
  });

  it('a prompt of a call is for call-control only, and only if it is known', async () => {
    await expect(content().ensurePromptAudio({ contentHashes: ['0'.repeat(64)] })).rejects.toEqual(
      refusedWith('not_found'),
    );
    await expect(content().ensurePromptAudio({})).rejects.toEqual(refusedWith('validation_failed'));
    const gateway = parley.as('gateway').client(PromptContentService);
    await expect(gateway.ensurePromptAudio({ contentHashes: ['0'.repeat(64)] })).rejects.toEqual(
      refusedWith('forbidden'),
    );
  });
});

describe('one company that changes its routing all the time', () => {
  it('one company that changes its routing all the time does not keep another company’s greeting waiting, also with two replicas', async () => {
    await parley.replica();
    parley.speech.busyMs = 25;
    const long = (round: number, index: number) =>
      `${round}/${index} ${id} ${'words of a long prompt. '.repeat(416)}`.slice(0, 10_000);
    for (let round = 0; round < 40; round++) {
      const prompts = Array.from({ length: 9 }, (_, index) => long(round, index));
      await numbers.setIncomingCallConfig({ id, config: menuOfPrompts(long(round, 9), prompts) }, me);
    }
    const { companyId, ownerId } = parley.directory.createCompany();
    const other = asEmployee(companyId, ownerId);
    const request = { companyId, number: `+45${(last += 1)}`, name: 'N', timezone: 'UTC', language: 'en' };
    const admin = parley.as('gateway').client(BusinessNumberAdminService);
    const theirs = (await admin.createBusinessNumber(request, asOperator)).view?.number?.id ?? '';
    const config = voicemail(`One line for ${theirs}`);
    await numbers.setIncomingCallConfig({ id: theirs, config }, other);
    const before = parley.speech.synthesized.length;
    await waitUntil(
      async () => {
        const { view } = await numbers.getBusinessNumber({ id: theirs }, other);
        const flow = view?.number?.incomingCallConfig?.config;
        return flow?.case === 'voicemail' && flow.value.greeting?.audioUrl;
      },
      { what: 'the greeting' },
    );
    // Companies take turns, however slow the machine is: before theirs come those in progress and some of the company with hundreds
    // waiting.
    const since = parley.speech.synthesized.slice(before);
    expect(since.findIndex(({ text }) => text.includes(theirs))).toBeLessThan(40);
    // Most of the forty configurations were replaced before they were synthesized completely.
    const rounds = new Set(
      parley.speech.synthesized.filter(({ text }) => text.includes(id)).map(({ text }) => text.split('/')[0]),
    );
    expect(rounds.size).toBeLessThan(40);
    // Lets the queue drain.
    await numbers.setIncomingCallConfig({ id, config: voicemail('Done.') }, me);
  });
});

describe('a voice preview', () => {
  const preview = (kind: string, text: string, client = previews) =>
    client.createVoicePreview({ businessNumberId: id, kind, text }, me);

  it.each(['welcome', 'greeting', 'message', 'prompt'])(
    'a voice preview of the kind %s is available for an hour',
    async (kind) => {
      const text = `Preview ${kind} ${id}`;
      const { audioUrl, signedId, expiresAt } = await preview(kind, text);
      expect(await sizeAt(audioUrl)).toBe(44 + 2 * text.length);
      expect(signedId).toMatch(/^[\w-]+\.[\w-]+$/);
      const lifetimeSecs = Number(expiresAt?.seconds) - Date.now() / 1000;
      expect(lifetimeSecs).toBeGreaterThan(3500);
      expect(lifetimeSecs).toBeLessThan(3700);
    },
  );

  it('a voice preview uses the number’s language, and makes the prompt of the same text ready at once', async () => {
    await numbers.updateBusinessNumber({ id, language: 'fr' }, me);
    const text = `Bonjour ${id}`;
    await preview('greeting', text);
    await say(text);
    expect(await greetingUrl()).toBeDefined();
    expect(parley.speech.synthesized.filter((one) => one.text === text)).toEqual([{ text, language: 'fr' }]);
  });

  it('a voice preview speaks as it is asked to', async () => {
    const text = `Guten Tag ${id}`;
    const request = { businessNumberId: id, kind: 'greeting', text, language: 'de', voice: 'anna' };
    await previews.createVoicePreview(request, me);
    expect(parley.speech.synthesized.filter((one) => one.text === text)).toEqual([{ text, language: 'de' }]);
    const blank = previews.createVoicePreview({ ...request, language: '' }, me);
    await expect(blank).rejects.toEqual(refusedWith('validation_failed'));
  });

  it.each([
    ['hello', 'text', 'invalid_kind'],
    ['', '', 'invalid_kind'],
    ['WELCOME', 'text', 'invalid_kind'],
    ['welcome', '', 'blank_text'],
    ['welcome', ' \n\t', 'blank_text'],
    ['welcome', 'x'.repeat(10_001), 'validation_failed'],
  ])('a voice preview that is wrong is refused: %#', async (kind, text, code) => {
    await expect(preview(kind, text)).rejects.toEqual(refusedWith(code));
  });

  it('a voice preview is for the company’s own numbers', async () => {
    const otherCompany = asEmployee(parley.directory.createCompany().companyId);
    const request = { businessNumberId: id, kind: 'welcome', text: 'x' };
    await expect(previews.createVoicePreview(request, otherCompany)).rejects.toEqual(refusedWith('not_found'));
  });

  it('a voice preview costs characters: only so many a minute for each company', async () => {
    const long = (index: number) => `${index} ${id} ${'x '.repeat(5000)}`.slice(0, 9000);
    // Three in a minute; a new minute may begin meanwhile.
    const accepted: number[] = [];
    const previewUntilRefused = async () => {
      for (let index = 0; index < 7; accepted.push(index++)) await preview('welcome', long(index));
    };
    await expect(previewUntilRefused()).rejects.toEqual(refusedWith('rate_limited'));
    expect(accepted.length).toBeGreaterThanOrEqual(3);
    // A text that has audio already does not count.
    await preview('welcome', long(0));
  });

  it('a voice preview fails as such when the speech service does', async () => {
    parley.speech.broken = true;
    await expect(preview('welcome', `Broken ${id}`)).rejects.toEqual(refusedWith('speech_failed'));
  });

  it('a voice preview can be had thirty times a minute by a company, also at once through two replicas; wrong ones do not count', async () => {
    const second = (await parley.replica()).as('gateway').client(VoicePreviewService);
    for (let count = 0; count < 5; count++) await expect(preview('wrong', 'x')).rejects.toThrow();
    for (let count = 0; count < 5; count++) await expect(preview('welcome', ' ')).rejects.toThrow();
    const text = `Many ${id}`;
    const answers = await Promise.allSettled(
      Array.from({ length: 45 }, (_, index) => preview('welcome', text, index % 2 ? second : previews)),
    );
    const refused = answers.filter((answer) => answer.status === 'rejected');
    expect(answers.length - refused.length).toBe(30);
    for (const { reason } of refused) expect(reason).toEqual(refusedWith('rate_limited'));
    await expect(preview('wrong', 'x')).rejects.toEqual(refusedWith('invalid_kind'));
  });
});
