import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { notFound, refusal, Refused } from '@parley/errors';
import { AssistantEngine } from '@parley/proto/assistant/v1/assistants_pb';
import { AssistantEndpointService, EndpointState } from '@parley/proto/assistant/v1/endpoint_pb';
import { SessionService } from '@parley/proto/assistant/v1/sessions_pb';
import { TakeoverService } from '@parley/proto/call_control/v1/assistant_calls_pb';
import { CallAssistantState } from '@parley/proto/call_control/v1/calls_pb';
import { fakeContract } from '@parley/testkit/service';
import { ANES_KEY, startGateway, type TestGateway } from './start-gateway.ts';

const AT = timestampFromDate(new Date('2030-01-02T03:04:05Z'));
const NOW = '2030-01-02T03:04:05.000Z';
const robin = { id: 'ast_1', name: 'Robin' };

let gateway: TestGateway;
/** Requests of the gateway, by method. */
const asked: Record<string, unknown>[] = [];
let takeover: () => void = () => undefined;
beforeAll(async () => {
  const sessions = fakeContract(SessionService, {
    async getSession({ callId, limit, cursor }) {
      asked.push({ callId, limit, cursor });
      if (callId !== 'cal_1') throw new Refused(notFound);
      return {
        session: {
          id: 'ses_1',
          callId,
          companyId: 'com_1',
          assistant: robin,
          engine: AssistantEngine.EMBEDDED,
          language: 'en',
          state: CallAssistantState.TALKING,
          startedAt: AT,
          callerName: 'Jane Hansen',
          callerContactId: 'con_1',
          message: {
            text: 'Call me.',
            callbackNumber: '+4520304050',
            callbackRequested: true,
            wanted: 'at nine',
            takenAt: AT,
          },
          usage: { turns: 4, seconds: 41, inputTokens: 0n, outputTokens: 0n },
        },
        items: [
          { sequence: 1, item: { case: 'event', value: { event: 'disclosed', at: AT } } },
          {
            sequence: 2,
            item: { case: 'turn', value: { byAssistant: false, text: 'Are you open?', startedAt: AT, endedAt: AT } },
          },
          {
            sequence: 3,
            item: {
              case: 'turn',
              value: {
                byAssistant: true,
                text: 'We are open until five.',
                spoken: 'We are open',
                interrupted: true,
                engine: AssistantEngine.EMBEDDED,
                sources: [{ type: 'business_hours' }, { type: 'knowledge_entry', id: 'kno_1' }],
                responseMs: 640,
                startedAt: AT,
              },
            },
          },
          {
            sequence: 4,
            item: {
              case: 'action',
              value: {
                action: 'transfer_call',
                argumentsJson: '{"target":"tgt_1"}',
                target: { id: 'tgt_1', name: 'Sales' },
                result: 'no_answer',
                startedAt: AT,
                endedAt: AT,
              },
            },
          },
          { sequence: 5, item: { case: 'key', value: { key: '0', at: AT } } },
        ],
        nextCursor: 'next',
      };
    },
    async startTestSession({ assistantId, businessNumberId, phone, at }) {
      asked.push({ assistantId, businessNumberId, phone, at });
      return { id: 'tst_1', reply: 'Hello.', expiresAt: AT };
    },
    async takeTestTurn({ assistantId, sessionId, text }) {
      asked.push({ assistantId, sessionId, text });
      return {
        reply: 'I am connecting you.',
        actions: [{ action: 'transfer_call', argumentsJson: '{"target":"tgt_1"}' }],
        sources: [{ type: 'company' }],
        understood: true,
        engine: AssistantEngine.ENDPOINT,
        durationMs: 12,
        ended: false,
      };
    },
  });
  const takeovers = fakeContract(TakeoverService, {
    async startTakeover() {
      takeover();
      return { employee: { id: 'emp_1', name: 'Ane' } };
    },
    cancelTakeover: async () => ({}),
  });
  const endpoint = { apiKeySet: true, spend: { month: '2030-01', inputTokens: 5n, outputTokens: 6n } };
  const model = fakeContract(AssistantEndpointService, {
    async putAssistantEndpoint({ url, model: name, key, prices, monthlySpendLimit }) {
      asked.push({ url, model: name, key, prices: prices?.currency, monthlySpendLimit });
      return { endpoint: { ...endpoint, url, model: name, state: EndpointState.OK } };
    },
    testAssistantEndpoint: async () => ({ ok: false, streams: true, callsTools: false, error: 'no_tools' }),
  });
  gateway = await startGateway({}, {}, { assistant: [sessions, model], 'call-control': [takeovers] });
});
afterAll(() => gateway?.stop());

async function call(method: string, path: string, body?: object): Promise<{ status: number; body: any }> {
  const response = await fetch(`${gateway.url}/api/v1${path}`, {
    method,
    headers: { 'X-Api-Key': ANES_KEY, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

describe('the conversation of a call with an assistant', () => {
  it('the conversation of a call with an assistant is read page by page', async () => {
    const { status, body } = await call('GET', '/calls/cal_1/assistant_session?limit=5&cursor=c');
    expect(asked.at(-1)).toEqual({ callId: 'cal_1', limit: 5, cursor: 'c' });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: 'ses_1',
      call_id: 'cal_1',
      assistant: robin,
      engine: 'embedded',
      model: null,
      language: 'en',
      state: 'talking',
      outcome: null,
      fallback_reason: null,
      started_at: NOW,
      ended_at: null,
      caller: { name: 'Jane Hansen', contact_id: 'con_1' },
      message: {
        text: 'Call me.',
        caller_name: null,
        callback_number: '+4520304050',
        for: null,
        callback_requested: true,
        wanted: 'at nine',
        taken_at: NOW,
      },
      summary: null,
      usage: { turns: 4, seconds: 41, input_tokens: 0, output_tokens: 0, cost: null },
      items: [
        { sequence: 1, type: 'event', event: 'disclosed', detail: null, at: NOW },
        { sequence: 2, type: 'turn', speaker: 'caller', text: 'Are you open?', started_at: NOW, ended_at: NOW },
        {
          sequence: 3,
          type: 'turn',
          speaker: 'assistant',
          text: 'We are open until five.',
          spoken: 'We are open',
          interrupted: true,
          engine: 'embedded',
          sources: [
            { type: 'business_hours', id: null },
            { type: 'knowledge_entry', id: 'kno_1' },
          ],
          response_ms: 640,
          started_at: NOW,
          ended_at: null,
        },
        {
          sequence: 4,
          type: 'action',
          action: 'transfer_call',
          arguments: { target: 'tgt_1' },
          target: { id: 'tgt_1', name: 'Sales' },
          result: 'no_answer',
          started_at: NOW,
          ended_at: NOW,
        },
        { sequence: 5, type: 'key', key: '0', at: NOW },
      ],
      next_cursor: 'next',
    });
  });

  it('the conversation of a call without an assistant is not found', async () => {
    expect(await call('GET', '/calls/cal_2/assistant_session')).toMatchObject({
      status: 404,
      body: { error: 'not_found' },
    });
  });
});

describe('trying an assistant', () => {
  it('trying an assistant needs a number, and takes a caller and a time', async () => {
    const path = '/assistants/ast_1/test_sessions';
    expect(await call('POST', path, {})).toMatchObject({
      status: 422,
      body: { errors: { business_number_id: expect.anything() } },
    });
    const given = { business_number_id: 'num_1', phone: '20 30 40 50', at: NOW };
    expect(await call('POST', path, given)).toEqual({
      status: 201,
      body: { id: 'tst_1', reply: 'Hello.', expires_at: NOW },
    });
    expect(asked.at(-1)).toMatchObject({
      assistantId: 'ast_1',
      businessNumberId: 'num_1',
      phone: '20 30 40 50',
      at: AT,
    });
  });

  it('trying an assistant shows what it would do', async () => {
    expect(await call('POST', '/assistants/ast_1/test_sessions/tst_1/turns', { text: 'Sales, please.' })).toEqual({
      status: 200,
      body: {
        reply: 'I am connecting you.',
        actions: [{ action: 'transfer_call', arguments: { target: 'tgt_1' }, result: 'simulated' }],
        sources: [{ type: 'company', id: null }],
        understood: true,
        engine: 'endpoint',
        duration_ms: 12,
        ended: false,
      },
    });
    expect(asked.at(-1)).toEqual({ assistantId: 'ast_1', sessionId: 'tst_1', text: 'Sales, please.' });
  });
});

describe('taking a call over', () => {
  it('taking a call over rings one’s own phones', async () => {
    expect(await call('POST', '/calls/cal_1/takeover')).toEqual({
      status: 201,
      body: { takeover: { employee: { id: 'emp_1', name: 'Ane' }, state: 'ringing' } },
    });
    expect(await call('DELETE', '/calls/cal_1/takeover')).toEqual({ status: 204, body: undefined });
  });

  it.each(['assistant_not_in_call', 'takeover_in_progress', 'employee_unavailable'] as const)(
    'taking a call over is refused with %s',
    async (code) => {
      takeover = () => {
        throw new Refused(refusal(code, 'No.'));
      };
      expect(await call('POST', '/calls/cal_1/takeover')).toMatchObject({ status: 409, body: { error: code, code } });
    },
  );
});

describe('the language model', () => {
  const put = (more: object) =>
    call('PUT', '/assistant_endpoint', { url: 'https://m.example/v1', model: 'small', ...more });

  it.each([
    [{}, { case: undefined }],
    [{ api_key: null }, { case: 'removeApiKey', value: true }],
    [{ api_key: 'sk-1' }, { case: 'apiKey', value: 'sk-1' }],
  ])('the key of the language model: %j', async (given, key) => {
    expect(await put(given)).toMatchObject({ status: 200, body: { api_key_set: true, state: 'ok', last_error: null } });
    expect(asked.at(-1)).toMatchObject({ key });
  });

  it('amounts of the language model are strings', async () => {
    const prices = { currency: 'EUR', input_per_million: 0.15, output_per_million: '0.60' };
    expect(await put({ prices })).toMatchObject({
      status: 422,
      body: { errors: { 'prices.input_per_million': expect.anything() } },
    });
    expect(await put({ prices: { ...prices, input_per_million: '0.15' }, monthly_spend_limit: '20' })).toMatchObject({
      status: 200,
    });
    expect(asked.at(-1)).toMatchObject({ prices: 'EUR', monthlySpendLimit: '20' });
  });

  it('a test of the language model shows what is wrong', async () => {
    expect(await call('POST', '/assistant_endpoint/test')).toEqual({
      status: 200,
      body: { ok: false, first_token_ms: null, streams: true, calls_tools: false, error: 'no_tools' },
    });
  });
});
