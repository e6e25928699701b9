import { CallContentService, CallService } from '@parley/proto/call_control/v1/calls_service_pb';
import { VoicemailService } from '@parley/proto/call_control/v1/voicemails_service_pb';
import { asEmployee } from '@parley/testkit/service';
import { missingFields, RELEASE_KEY, RELEASE_WRITES, releaseDocuments, restoreRelease } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startCallControl, type TestCallControl } from './start-call-control.ts';

/** What is about switches and phones that do not exist any more is left out. */
const { calls = [], call_search = [], transcripts = [], voicemails = [] } = releaseDocuments('call-control');
const released = { calls, call_search, transcripts, voicemails };
const owner = asEmployee(String(calls[0]?.companyId));

let callControl: TestCallControl;
beforeAll(async () => {
  callControl = await startCallControl({ ENCRYPTION_KEY: RELEASE_KEY });
});
afterAll(() => callControl?.stop());

describe.each(RELEASE_WRITES)('calls that the last release stored %s', (_, when) => {
  beforeAll(async () => {
    await callControl.stopService();
    await restoreRelease(callControl.db, released, when);
    await callControl.restart();
  });

  it('calls that the last release stored are read with what was said, changed, and keep every field that the release reads', async () => {
    const service = callControl.as('gateway').client(CallService);
    for (const { _id: id, from } of calls) {
      expect((await service.getCall({ id }, owner)).call).toMatchObject({ id, from });
      await service.updateCall({ id, note: 'Other' }, owner);
      expect((await service.getCall({ id }, owner)).call?.note).toBe('Other');
    }
    const content = callControl.as('webhooks').client(CallContentService);
    expect(transcripts).not.toEqual([]);
    for (const { _id: callId, companyId } of transcripts)
      expect((await content.getCallContent({ companyId, callId })).call?.transcription).toMatch(/table|bicycle/i);
    // The release reads its absence as null, which is what it always stores there.
    const missing = await missingFields(callControl.db, released);
    expect(missing.filter((field) => field !== 'voicemails transcription')).toEqual([]);
  });

  it('calls that the last release stored are found by what was said', async () => {
    const service = callControl.as('gateway').client(CallService);
    const { calls: found } = await service.listCalls({ query: 'table', limit: 10 }, owner);
    expect(found.map(({ transcription }) => transcription)).toEqual([expect.stringMatching(/table/i)]);
  });

  it('calls that the last release stored have voicemails, which are read and changed', async () => {
    const service = callControl.as('gateway').client(VoicemailService);
    const [voicemail] = voicemails;
    const id = voicemail?._id ?? '';
    const read = await service.getVoicemail({ id }, owner);
    expect(read.voicemail).toMatchObject({ id, transcription: expect.stringMatching(/bicycle|flat|call/i) });
    const changed = await service.updateVoicemail({ id, listened: true }, owner);
    expect(changed.voicemail?.listenedAt).toBeDefined();
  });
});
