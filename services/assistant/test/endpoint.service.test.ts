import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { systemClock } from '@parley/clock';
import { decodeMessage } from '@parley/events';
import { AssistantService, EndpointSource } from '@parley/proto/assistant/v1/assistants_pb';
import { AssistantEndpointService, EndpointState } from '@parley/proto/assistant/v1/endpoint_pb';
import type { EmployeePrincipal, RpcClient } from '@parley/rpc';
import { encryptor } from '@parley/secrets';
import { waitUntil } from '@parley/testkit';
import { asEmployee, withRole } from '@parley/testkit/service';
import { idleRelay } from '@parley/aggregates/idle-relay';
import { config } from '../src/config.ts';
import { type Endpoints, openEndpoints } from '../src/endpoint/endpoint-store.ts';
import { startAssistant, type TestAssistant } from './start-assistant.ts';

const key = randomBytes(32).toString('base64');
const settings = {
  ENCRYPTION_KEY: key,
  ASSISTANT_URL: 'http://models.internal:8000/v1',
  ASSISTANT_MODEL: 'house',
  ASSISTANT_API_KEY: 'operator-key',
};
let assistant: TestAssistant;
let rpcs: RpcClient<typeof AssistantEndpointService>;
/** As sessions of another process have them. */
let endpoints: Endpoints;
beforeAll(async () => {
  assistant = await startAssistant(settings);
  rpcs = assistant.as('gateway').client(AssistantEndpointService);
  endpoints = await openEndpoints({
    db: assistant.db,
    relay: idleRelay(),
    clock: systemClock,
    encryptor: encryptor(key),
    config: config.parse({ ...assistant.env, ...settings }),
  });
}, 60_000);
afterAll(() => assistant?.stop());

let companyId: string;
let owner: { as: EmployeePrincipal };
beforeEach(() => {
  const company = assistant.directory.createCompany();
  companyId = company.companyId;
  owner = asEmployee(companyId, company.ownerId);
});

const url = 'https://1.1.1.1/v1';
const prices = { currency: 'EUR', inputPerMillion: '1', outputPerMillion: '2' };
const put = async (more: object = {}) =>
  (await rpcs.putAssistantEndpoint({ url, model: 'small', key: { case: undefined }, ...more }, owner)).endpoint!;
const withKey = (value: string) => ({ key: { case: 'apiKey', value } as const });
const read = async () => (await rpcs.getAssistantEndpoint({}, owner)).endpoint!;

describe('the endpoint of a company', () => {
  it('the endpoint of a company is not set at first', async () => {
    expect(await read()).toMatchObject({ apiKeySet: false, state: EndpointState.NOT_SET });
    expect((await read()).url).toBeUndefined();
  });

  it('the endpoint of a company never shows its key, and stores it encrypted', async () => {
    expect(await put(withKey('sk-very-secret'))).toMatchObject({
      url,
      model: 'small',
      apiKeySet: true,
      state: EndpointState.OK,
    });
    expect(
      JSON.stringify(await read(), (_name, value) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain('sk-');
    for (const { name } of await assistant.db.listCollections().toArray()) {
      const stored = await assistant.db.collection(name).find({}, { raw: true }).toArray();
      expect(Buffer.concat(stored as unknown as Buffer[]).includes('sk-very-secret')).toBe(false);
    }
    expect(await endpoints.inUse(companyId)).toEqual({
      source: 'company',
      url,
      model: 'small',
      apiKey: 'sk-very-secret',
    });
  });

  it.each([
    'http://1.1.1.1/v1',
    'https://127.0.0.1/v1',
    'https://169.254.169.254/v1',
    'https://localhost/v1',
    'nonsense',
    '',
  ])('the endpoint of a company cannot be %j', async (wrong) => {
    await expect(put({ url: wrong })).rejects.toMatchObject({ refusal: { fields: { url: [expect.any(String)] } } });
  });

  it('the endpoint of a company replaces the operator’s, which answers when it is removed', async () => {
    const operator = {
      source: 'operator',
      url: 'http://models.internal:8000/v1',
      model: 'house',
      apiKey: 'operator-key',
    };
    const options = () => assistant.as('gateway').client(AssistantService).getAssistantOptions({}, owner);
    expect(await endpoints.inUse(companyId)).toEqual(operator);
    expect(await options()).toMatchObject({ endpointSource: EndpointSource.OPERATOR, endpointModel: 'house' });
    await put();
    expect(await endpoints.inUse(companyId)).toMatchObject({ source: 'company', apiKey: null });
    expect(await options()).toMatchObject({ endpointSource: EndpointSource.COMPANY, endpointModel: 'small' });
    await rpcs.deleteAssistantEndpoint({}, owner);
    await rpcs.deleteAssistantEndpoint({}, owner);
    expect(await endpoints.inUse(companyId)).toEqual(operator);
    expect(await read()).toMatchObject({ state: EndpointState.NOT_SET });
  });

  it('the endpoint of a company is an admin’s, its key and limit never an app’s', async () => {
    const member = withRole(owner, 'member');
    await expect(rpcs.getAssistantEndpoint({}, member)).rejects.toMatchObject({ refusal: { code: 'forbidden' } });
    const app = { as: { ...owner.as, credentialType: 'oauth_token' as const } };
    const byApp = (more: object) =>
      rpcs.putAssistantEndpoint({ url, model: 'small', key: { case: undefined }, ...more }, app);
    await byApp({});
    await expect(byApp(withKey('sk-1'))).rejects.toMatchObject({ refusal: { code: 'forbidden' } });
    await expect(byApp({ prices, monthlySpendLimit: '5' })).rejects.toMatchObject({ refusal: { code: 'forbidden' } });
    await put(withKey('sk-1'));
    await expect(rpcs.deleteAssistantEndpoint({}, app)).rejects.toMatchObject({ refusal: { code: 'forbidden' } });
    expect(await read()).toMatchObject({ apiKeySet: true });
  });

  it('two who set the endpoint of a company at once leave one', async () => {
    await Promise.all(Array.from({ length: 6 }, (_, index) => put({ model: `model ${index}` })));
    expect(await assistant.db.collection('endpoints').countDocuments({ companyId, _deleted: false })).toBe(1);
  });
});

describe('what an endpoint has cost', () => {
  it('what an endpoint has cost is exact when many sessions add to it at once', async () => {
    await put({ prices, monthlySpendLimit: '100' });
    const costs = await Promise.all(
      Array.from({ length: 50 }, () => endpoints.addSpend(companyId, 'company', { inputTokens: 3, outputTokens: 1 })),
    );
    expect(new Set(costs)).toEqual(new Set(['0.000005']));
    expect((await read()).spend).toMatchObject({
      month: new Date().toISOString().slice(0, 7),
      amount: '0.00025',
      currency: 'EUR',
      inputTokens: 150n,
      outputTokens: 50n,
    });
  });

  it('an endpoint whose limit is reached does not answer, and admins are told before', async () => {
    const events = await assistant.record('assistant.endpoint.spend_limit_near');
    const spend = (inputTokens: number) => endpoints.addSpend(companyId, 'company', { inputTokens, outputTokens: 0 });
    await put({ prices, monthlySpendLimit: '10' });
    await spend(9_999_999);
    expect(await endpoints.inUse(companyId)).toBeDefined();
    await spend(1);
    expect(await endpoints.inUse(companyId)).toBeUndefined();
    expect(await read()).toMatchObject({ state: EndpointState.LIMIT_REACHED, spend: { amount: '10' } });
    // The store of another process has no relay here: the sweep of the service publishes what it left.
    await waitUntil(() => events.some((event) => event.companyId === companyId), {
      what: 'the event',
      timeoutMs: 60_000,
    });
    const [event] = events.filter((one) => one.companyId === companyId);
    expect(decodeMessage('assistant.endpoint.spend_limit_near', event!.data)).toMatchObject({
      limit: '10',
      currency: 'EUR',
    });
    await put({ prices, monthlySpendLimit: '11' });
    expect(await endpoints.inUse(companyId)).toBeDefined();
  }, 90_000);
});

describe('an endpoint that fails', () => {
  it('an endpoint that fails five times in a minute is left alone, until it is set again', async () => {
    await put();
    for (let failure = 0; failure < 4; failure += 1) await endpoints.failed(companyId, 'company', 'timeout');
    expect(await endpoints.inUse(companyId)).toBeDefined();
    expect(await read()).toMatchObject({ state: EndpointState.OK, lastError: 'timeout' });
    await endpoints.failed(companyId, 'company', 'unreachable');
    expect(await endpoints.inUse(companyId)).toBeUndefined();
    expect(await read()).toMatchObject({ state: EndpointState.FAILING, lastError: 'unreachable' });
    await put({ model: 'large' });
    expect(await endpoints.inUse(companyId)).toMatchObject({ model: 'large' });
    expect((await read()).lastError).toBeUndefined();
  });

  it('an endpoint that answers again has no error', async () => {
    await put();
    await endpoints.failed(companyId, 'company', 'timeout');
    await endpoints.answered(companyId, 'company');
    expect((await read()).lastError).toBeUndefined();
  });
});
