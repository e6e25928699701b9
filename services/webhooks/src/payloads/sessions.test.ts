import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { encodeMessage } from '@parley/events';
import { AssistantEngine } from '@parley/proto/assistant/v1/assistants_pb';
import { SessionSchema } from '@parley/proto/assistant/v1/sessions_pb';
import { CallAssistantState, CallSchema } from '@parley/proto/call_control/v1/calls_pb';
import { call, callJson, createdAt, updatedAt } from '../../test/support/a-call.ts';
import { dataOf } from '../../test/support/data-of.ts';

describe('payloads about the session of an assistant', () => {
  const session = {
    id: 'ses_1',
    callId: 'cal_1',
    companyId: 'com_1',
    assistant: { id: 'ast_1', name: 'Robin' },
    engine: AssistantEngine.EMBEDDED,
    language: 'en',
    state: CallAssistantState.TALKING,
    startedAt: timestampFromDate(createdAt),
    usage: { turns: 2, seconds: 12 },
  };
  const taken = {
    text: 'The bicycle is broken.',
    callerName: 'Jane',
    callbackNumber: '+4512345678',
    callbackRequested: false,
    takenAt: timestampFromDate(updatedAt),
  };
  const content = { ...session, callerName: 'Jane', callerContactId: 'con_1', message: taken, summary: 'Jane called.' };
  const from = (stored?: typeof content) =>
    ({
      callContent: async () => create(CallSchema, call),
      sessionContent: async () => stored && create(SessionSchema, stored),
    }) as unknown as Parameters<typeof dataOf>[2];
  const message = {
    text: 'The bicycle is broken.',
    caller_name: 'Jane',
    callback_number: '+4512345678',
    for: null,
    callback_requested: false,
    wanted: null,
    taken_at: '2026-03-02T12:00:00.000Z',
  };

  it.each([
    ['assistant.session.started', 'assistant.session_started', null, null],
    ['assistant.session.message_taken', 'assistant.message_taken', message, null],
    ['assistant.session.ended', 'assistant.session_ended', message, 'Jane called.'],
  ] as const)(
    'payloads about the session of an assistant of %s have what was known then',
    async (fact, event, ...known) => {
      const { data: bytes } = encodeMessage(fact, { session });
      const [[name, data]] = (await dataOf(fact, bytes, from(content))) as [[string, { session: object }]];
      expect([name, data]).toEqual([
        event,
        {
          ...callJson,
          session: {
            id: 'ses_1',
            call_id: 'cal_1',
            assistant: { id: 'ast_1', name: 'Robin' },
            engine: 'embedded',
            model: null,
            language: 'en',
            state: 'talking',
            outcome: null,
            fallback_reason: null,
            started_at: '2026-03-01T12:00:00.007Z',
            ended_at: null,
            caller: { name: 'Jane', contact_id: 'con_1' },
            message: known[0],
            summary: known[1],
            usage: { turns: 2, seconds: 12, input_tokens: 0, output_tokens: 0, cost: null },
          },
        },
      ]);
    },
  );

  it('payloads about the session of an assistant are not sent once it was removed', async () => {
    const { data: bytes } = encodeMessage('assistant.session.ended', { session });
    expect(await dataOf('assistant.session.ended', bytes, from())).toEqual([['assistant.session_ended', null]]);
  });
});
