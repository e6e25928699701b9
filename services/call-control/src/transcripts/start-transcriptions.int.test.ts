import { randomBytes } from 'node:crypto';
import { afterAll, expect, it, jest } from '@jest/globals';
import { systemClock } from '@parley/clock';
import { encryptor } from '@parley/secrets';
import { idleRelay } from '@parley/aggregates/idle-relay';
import { testMongo, waitUntil } from '@parley/testkit';
import type { CallRunner } from '../calls/store/call-runner.ts';
import type { Calls } from '../calls/store/call-store.ts';
import { inConversation } from '../../test/test-call.ts';
import type { SearchIndex } from '../search/search-store.ts';
import type { Speech } from '../speech/speech-client.ts';
import type { Voicemails } from '../voicemails/voicemail-store.ts';
import { voicemailTexts } from '../voicemails/voicemail-proto.ts';
import { startTranscriptions } from './start-transcriptions.ts';
import { openTranscripts } from './transcript-store.ts';

const mongo = testMongo();
afterAll(() => mongo.close());
const texts = encryptor(randomBytes(32).toString('base64'));

it('a recording is listened to once, also when the search index fails', async () => {
  const test = inConversation();
  test.hangUp();
  const transcribe = jest.fn(async () => [{ channel: 0, startMs: 0, endMs: 900, text: 'Hello.' }]);
  const add = jest.fn(async () => {}).mockRejectedValueOnce(new Error('no embedding'));
  const db = mongo.database();
  const transcripts = await openTranscripts(db, texts);
  const transcriptions = await startTranscriptions({
    db,
    relay: idleRelay(),
    clock: systemClock,
    calls: { of: () => ({ get: async () => test.call }) } as unknown as Calls,
    runner: { apply: async (_key, input) => (test.apply(input), test.call) } as CallRunner,
    voicemails: {} as Voicemails,
    voicemailTexts: voicemailTexts(texts),
    transcripts,
    search: { add } as unknown as SearchIndex,
    speech: { transcribe, summarize: async () => 'A greeting.' } as Partial<Speech> as Speech,
    sessions: { store: async () => undefined },
  });
  const { id: callId, companyId } = test.call;
  await transcriptions.order({ id: `${callId}-1`, companyId, callId, kind: 'conversation', durationMs: 1000 });
  await waitUntil(() => test.call.hasTranscription === true, { what: 'the transcript' });
  await transcriptions.stop();
  expect([transcribe.mock.calls.length, add.mock.calls.length]).toEqual([1, 2]);
  expect(await transcripts.get(companyId, callId)).toMatchObject({
    text: '+4520304050: Hello.',
    summary: 'A greeting.',
  });
  expect(JSON.stringify(test.call)).not.toContain('greeting');
  expect(test.events.at(-1)?.type).toBe('call-control.call.transcription_done');
});

it('companies take turns, and the shortest recordings of a company come first', async () => {
  const db = mongo.database();
  const test = inConversation();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const transcribe: Speech['transcribe'] = async (recording) => {
    begun.push(recording);
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.set(recording, resolve);
    await promise;
    return [];
  };
  const transcriptions = await startTranscriptions({
    db,
    relay: idleRelay(),
    clock: systemClock,
    calls: { of: () => ({ get: async () => test.call }) } as unknown as Calls,
    runner: { apply: async () => test.call } as unknown as CallRunner,
    voicemails: {} as Voicemails,
    voicemailTexts: voicemailTexts(texts),
    transcripts: await openTranscripts(db, texts),
    search: { add: async () => {} } as unknown as SearchIndex,
    speech: { transcribe } as Partial<Speech> as Speech,
    sessions: { store: async () => undefined },
  });
  const order = (id: string, companyId: string, secs: number) =>
    transcriptions.order({ id, companyId, callId: 'cal_1', kind: 'conversation', durationMs: secs * 1000 });
  /** The next that begin when one of those in progress has ended. */
  const next = async (): Promise<string> => {
    const count = begun.length;
    const [ended = ''] = ends.keys();
    ends.get(ended)!();
    ends.delete(ended);
    await waitUntil(() => begun.length > count, { what: 'the next recording' });
    return begun[count]!;
  };
  for (let index = 0; index < 4; index++) await order(`in-progress-${index}`, 'com_a', 10);
  await waitUntil(() => begun.length === 4, { what: 'all places are taken' });
  for (const secs of [50, 30, 40, 20]) await order(`a-${secs}`, 'com_a', secs);
  await order('b-55', 'com_b', 55);
  await order('a-600', 'com_a', 600);
  await order('a-10', 'com_a', 10);
  const inOrder: string[] = [];
  while (inOrder.length < 7) inOrder.push(await next());
  expect(inOrder).toEqual(['a-10', 'b-55', 'a-20', 'a-30', 'a-40', 'a-50', 'a-600']);
  for (const end of ends.values()) end();
  await transcriptions.stop();
});
