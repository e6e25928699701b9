import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeMessage } from '@parley/events';
import { CallState } from '@parley/proto/call_control/v1/calls_pb';
import { storedDocument, waitUntil } from '@parley/testkit';
import { type AssistedCalls, CALLER, NUMBER, sessionOf, startAssistedCalls } from './start-assisted-calls.ts';

let stack: AssistedCalls;
let ada: string;
let done: readonly string[];
let published: readonly string[];
beforeAll(async () => {
  stack = await startAssistedCalls({ case: 'transfer', value: { employeeIds: [] } });
  ada = stack.employees[0]!;
  stack.route.fallback = { case: 'transfer', value: { employeeIds: [ada] } };
  done = await stack.callControl.record(
    'call-control.call.transcription_done',
    ({ data }) => decodeMessage('call-control.call.transcription_done', data).call!.id,
  );
  published = await stack.callControl.record('call-control.call.*', ({ data }) => Buffer.from(data).toString('latin1'));
});
afterAll(() => stack?.stop());

const turns = [
  { speaker: 'Robin', text: 'This is an automated assistant.', startMs: 0, endMs: 1500 },
  { speaker: CALLER, text: 'My bicycle is broken.', startMs: 2000, endMs: 3500 },
];

/** The call of a caller who talked with the assistant, which has ended. */
async function ended(said: { segments: typeof turns; isComplete: boolean }): Promise<string> {
  const { assistant, callControl, phones } = stack;
  const before = phones.created.length;
  const caller = phones.arrive({ from: CALLER, to: NUMBER });
  const leg = await waitUntil(
    () => phones.created.slice(before).find(({ dialString }) => dialString.includes(':5090'))?.legId,
    { what: 'the call to the assistant' },
  );
  const calls = callControl.db.collection<{ _id: string; customerLegId: string }>('calls');
  const callId = (await calls.findOne({ customerLegId: caller }))!._id;
  assistant.said.set(sessionOf(callId), { summary: 'Jane called. Left to do: nothing.', ...said });
  const isTold = (what: string) => assistant.told.get(sessionOf(callId))?.some(({ update }) => update.case === what);
  phones.answer(leg);
  await waitUntil(() => isTold('connected'), { what: 'the connection' });
  phones.hangUp(caller);
  await waitUntil(async () => (await callOf(callId)).state === CallState.ENDED, { what: 'the end' });
  return callId;
}

const callOf = async (id: string) => (await stack.calls.getCall({ id }, stack.as(ada))).call!;
const contentOf = async (callId: string) =>
  (await stack.content.getCallContent({ companyId: stack.companyId, callId })).call!;

describe('what was said to an assistant', () => {
  it('what was said to an assistant is the transcript of its call, encrypted, and complete when its end is told', async () => {
    const callId = await ended({ segments: turns, isComplete: false });
    setTimeout(() => (stack.assistant.said.get(sessionOf(callId))!.isComplete = true), 300);
    const content = await contentOf(callId);
    expect(content).toMatchObject({
      summary: 'Jane called. Left to do: nothing.',
      transcription: `Robin: This is an automated assistant.\n${CALLER}: My bicycle is broken.`,
      transcriptionSegments: turns,
      hasTranscription: true,
    });
    await waitUntil(() => done.includes(callId), { what: 'the event' });
    expect(await callOf(callId)).toMatchObject({ summary: content.summary, transcription: content.transcription });
    const { entries } = await stack.calls.getCallTimeline({ id: callId }, stack.as(ada));
    expect(entries.filter(({ type }) => type === 'assistant').map(({ what }) => what)).toEqual([
      'assistant_requested',
      'assistant_connected',
      'assistant_left',
      'session_stored',
    ]);
    const { db } = stack.callControl;
    const stored = [await storedDocument(db, 'calls', callId), await storedDocument(db, 'transcripts', callId)];
    expect(JSON.stringify(stored)).not.toContain('bicycle');
    expect(published.filter((event) => event.includes(callId)).join()).not.toContain('bicycle');
  });

  it('what was said to an assistant that keeps no transcript is not shown, and its summary is', async () => {
    const callId = await ended({ segments: [], isComplete: true });
    expect(await contentOf(callId)).toMatchObject({
      summary: 'Jane called. Left to do: nothing.',
      hasTranscription: false,
    });
    const shown = await callOf(callId);
    expect([shown.summary, shown.transcription]).toEqual(['Jane called. Left to do: nothing.', undefined]);
    expect(done).not.toContain(callId);
  });
});
