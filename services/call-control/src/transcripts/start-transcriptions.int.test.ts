import { randomBytes } from 'node:crypto';
import { afterAll, expect, it, jest } from '@jest/globals';
import { systemClock } from '@parley/clock';
import { encryptor } from '@parley/secrets';
import { idleRelay } from '@parley/aggregates/idle-relay';
import { testMongo, waitUntil } from '@parley/testkit';
import type { CallRunner } from '../calls/store/call-runner.ts';
import type { Calls } from '../calls/store/call-store.ts';
import { inConversation } from '../calls/decide/test-call.ts';
import type { SearchIndex } from '../search/search-store.ts';
import type { Speech } from '../speech/speech-client.ts';
import type { Voicemails } from '../voicemails/voicemail-store.ts';
import { voicemailTexts } from '../voicemails/voicemail-texts.ts';
import { startTranscriptions } from './start-transcriptions.ts';
import { openTranscripts } from './transcript-store.ts';

const mongo = testMongo();
const db = mongo.database();
afterAll(() => mongo.close());

it('a recording is listened to once, also when the search index fails', async () => {
  const test = inConversation();
  test.hangUp();
  const transcribe = jest.fn(async () => [{ channel: 0, startMs: 0, endMs: 900, text: 'Hello.' }]);
  const add = jest.fn(async () => {}).mockRejectedValueOnce(new Error('no embedding'));
  const texts = encryptor(randomBytes(32).toString('base64'));
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
  });
  const { id: callId, companyId } = test.call;
  await transcriptions.order({ id: `${callId}-1`, companyId, callId, kind: 'conversation' });
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
