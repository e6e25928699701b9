import { timestampNow } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Refused, refusal } from '@parley/errors';
import type { ContactService } from '@parley/proto/directory/v1/contacts_pb';
import type { Handlers, Principal } from '@parley/rpc';
import { waitUntil } from '@parley/testkit';
import { ANES_KEY, startGateway, type TestGateway } from './start-gateway.ts';

const contact = (id: string) => ({
  id,
  phone: '+4520304050',
  phoneFormatted: '+45 20 30 40 50',
  createdAt: timestampNow(),
  updatedAt: timestampNow(),
});
type Answers = Handlers<typeof ContactService, Principal>;

let gateway: TestGateway;
/** The response of the fake directory; set by each test. */
let answers: Partial<Answers>;
let received: { id: string; requestId: string | undefined }[];

const start = (settings: Record<string, string> = {}) =>
  startGateway(
    {
      getContact(request, context) {
        received.push({ id: request.id, requestId: context.requestId });
        return answers.getContact!(request, context);
      },
      createContact: (request, context) => answers.createContact!(request, context),
      listContacts: (request, context) => answers.listContacts!(request, context),
    },
    settings,
  );
beforeAll(async () => void (gateway = await start()));
beforeEach(() => {
  answers = {};
  received = [];
});
afterAll(() => gateway?.stop());

function call(path: string, init: RequestInit = {}, { url } = gateway): Promise<Response> {
  const headers = { 'X-Api-Key': ANES_KEY, ...(init.headers as Record<string, string>) };
  return fetch(`${url}/api/v1${path}`, { ...init, headers });
}

describe('a peer of a gateway with little time for a request', () => {
  let hasty: TestGateway;
  beforeAll(async () => void (hasty = await start({ REQUEST_TIME_MAX_MS: '1500' })));
  afterAll(() => hasty?.stop());

  it('a peer of a gateway with little time for a request that does not respond in time is a 503 with Retry-After, and the RPC is cancelled', async () => {
    const stopped = new Promise((resolve) => {
      answers.getContact = (_request, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => resolve(reject(new Error('stopped'))));
        });
    });
    const answer = await call('/contacts/con_1', {}, hasty);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toMatchObject({ error: 'unavailable' });
    await stopped;
  });

  it('a peer of a gateway with little time for a request that is not there is a 503, not a request that hangs', async () => {
    const answer = await call('/business_numbers', {}, hasty);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  });
});

describe('a peer of the gateway', () => {
  it.each([
    ['not_found', 404, { error: 'not_found' }],
    ['conflict', 409, { error: 'conflict', code: 'conflict' }],
    ['rate_limited', 429, { error: 'rate_limited', code: 'rate_limited' }],
    ['validation_failed', 422, { error: 'because', code: 'validation_failed', errors: { phone: ['is wrong'] } }],
  ] as const)('a peer of the gateway that refuses with %s is a %i with the refusal', async (code, status, body) => {
    const fields = status === 422 ? { fields: { phone: ['is wrong'] } } : {};
    answers.createContact = () => Promise.reject(new Refused(refusal(code, 'because', fields)));
    const answer = await call('/contacts', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ phone: '+4520304050' }),
    });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual(body);
  });

  it('a peer of the gateway receives the id of the request', async () => {
    answers.getContact = () => Promise.reject(new Refused(refusal('not_found', 'no')));
    const answer = await call('/contacts/con_9', { headers: { 'X-Request-Id': 'request-9' } });
    expect(answer.headers.get('x-request-id')).toBe('request-9');
    expect(received).toEqual([{ id: 'con_9', requestId: 'request-9' }]);
  });
});

describe('a list', () => {
  it('a list that fails before its first item is an error response', async () => {
    answers.listContacts = async function* () {
      yield await Promise.reject(new Refused(refusal('forbidden', 'no')));
    };
    expect((await call('/contacts')).status).toBe(403);
  });

  it('a list that fails in the middle ends without its last bracket, so that it cannot be mistaken for complete', async () => {
    const beginning = Promise.withResolvers<void>();
    answers.listContacts = async function* () {
      // The gateway writes nothing before it has two chunks of 32 KiB.
      for (let part = 0; part < 3; part++)
        yield { contacts: Array.from({ length: 500 }, (_, n) => contact(`con_${500 * part + n}`)) };
      await beginning.promise;
      throw new Error('the database was lost');
    };
    const answer = await call('/contacts');
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toMatch(/^\[\{"id":"con_0"/);
    beginning.resolve();
    const rest = async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read())
        expect(part.value).not.toMatch(/\]$/);
    };
    await expect(rest()).rejects.toThrow('terminated');
  });

  it('a list is stopped at its source when the client disconnects', async () => {
    let stopped = false;
    answers.listContacts = async function* (_request, { signal }) {
      signal.addEventListener('abort', () => (stopped = true));
      for (let n = 0; !signal.aborted; n++) yield { contacts: [contact(`con_${n}`)] };
    };
    const leaving = new AbortController();
    const answer = await call('/contacts', { signal: leaving.signal });
    await answer.body?.getReader().read();
    leaving.abort();
    await waitUntil(() => stopped, { what: 'the end of the stream' });
  });
});

describe('a request', () => {
  it.each([
    ['no credential', {}],
    ['an unknown API key', { 'X-Api-Key': 'pk_unknown' }],
    ['an unknown access token', { Authorization: 'Bearer at_unknown' }],
    ['a credential of another kind', { Authorization: 'Basic YTpi' }],
  ])('a request with %s reaches no peer', async (_what, headers) => {
    const answer = await fetch(`${gateway.url}/api/v1/contacts/con_1`, { headers: headers as Record<string, string> });
    expect(answer.status).toBe(401);
    expect(received).toEqual([]);
  });

  it.each([
    ['malformed JSON', '{"phone":', 400],
    ['a field that is none', '{"phone": 5}', 422],
    ['more than a body may have', JSON.stringify({ phone: 'x'.repeat(2_000_000) }), 413],
  ])('a request with a wrong body reaches no peer: %s', async (_what, body, status) => {
    answers.createContact = () => Promise.reject(new Error('asked'));
    const answer = await call('/contacts', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    expect(answer.status).toBe(status);
  });
});
