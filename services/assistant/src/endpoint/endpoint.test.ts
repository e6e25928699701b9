import { describe, expect, it } from '@jest/globals';
import { type Endpoint, putEndpoint, removeEndpoint, type WrittenEndpoint } from './endpoint.ts';

const identity = { id: 'aep_1', companyId: 'com_1' };
const prices = { currency: 'EUR', inputPerMillion: '0.15', outputPerMillion: '0.60' };
const written: WrittenEndpoint = {
  url: 'https://models.example.com/v1/',
  urlProblem: null,
  model: 'small',
  apiKey: undefined,
  prices: null,
  monthlySpendLimit: null,
};
const encrypt = (key: string) => `encrypted ${key}`;
const put = (change: Partial<WrittenEndpoint>, current?: Endpoint, byApp = false) =>
  putEndpoint(identity, current, { ...written, ...change }, { byApp, encrypt });
const stored = (change: Partial<WrittenEndpoint> = {}): Endpoint => {
  const decision = put(change);
  if (!decision.ok) throw new Error(JSON.stringify(decision.refusal));
  return decision.state;
};

describe('the endpoint of a company', () => {
  it('the endpoint of a company is stored with its key encrypted, without a slash at the end of its address', () => {
    expect(stored({ apiKey: 'sk-1', prices, monthlySpendLimit: '20' })).toEqual({
      ...identity,
      url: 'https://models.example.com/v1',
      model: 'small',
      encryptedApiKey: 'encrypted sk-1',
      prices,
      monthlySpendLimit: '20',
    });
  });

  it.each<[Partial<WrittenEndpoint>, string[]]>([
    [{ url: '' }, ['url']],
    [{ urlProblem: 'must be a public address' }, ['url']],
    [{ url: 'https://models.example.com/v1?version=1' }, ['url']],
    [{ model: ' ' }, ['model']],
    [{ model: 'x'.repeat(201) }, ['model']],
    [{ apiKey: '' }, ['api_key']],
    [{ apiKey: 'a b' }, ['api_key']],
    [{ apiKey: 'clé' }, ['api_key']],
    [{ apiKey: 'x'.repeat(1025) }, ['api_key']],
    [{ monthlySpendLimit: '10' }, ['monthly_spend_limit']],
    [{ prices, monthlySpendLimit: '-1' }, ['monthly_spend_limit']],
    [{ prices, monthlySpendLimit: '1e3' }, ['monthly_spend_limit']],
    [{ prices: { ...prices, currency: 'euro' } }, ['prices.currency']],
    [{ prices: { ...prices, inputPerMillion: '0,15' } }, ['prices.input_per_million']],
    [{ prices: { ...prices, outputPerMillion: '0.1234567' } }, ['prices.output_per_million']],
    [{ model: '', prices: { ...prices, currency: '' } }, ['model', 'prices.currency']],
  ])('the endpoint of a company cannot have %j', (change, paths) => {
    const decision = put(change);
    expect(decision.ok ? [] : Object.keys(decision.refusal.fields ?? {})).toEqual(paths);
  });

  it('a stored key stays while the address does, and no other address ever gets it', () => {
    const current = stored({ apiKey: 'sk-1' });
    expect(put({ model: 'large' }, current)).toMatchObject({
      state: { model: 'large', encryptedApiKey: 'encrypted sk-1' },
    });
    expect(put({ url: 'https://models.example.com/v1' }, current)).toMatchObject({ state: current, events: [] });
    const elsewhere = { url: 'https://other.example.com/v1' };
    expect(put(elsewhere, current)).toMatchObject({
      refusal: { fields: { api_key: ['is required with another url'] } },
    });
    expect(put({ ...elsewhere, apiKey: null }, current)).toMatchObject({ state: { encryptedApiKey: null } });
    expect(put({ ...elsewhere, apiKey: 'sk-2' }, current)).toMatchObject({
      state: { encryptedApiKey: 'encrypted sk-2' },
    });
    expect(put(elsewhere, stored())).toMatchObject({ ok: true });
  });

  it('what is not given of prices and limit is removed', () => {
    const current = stored({ prices, monthlySpendLimit: '20' });
    expect(put({}, current)).toMatchObject({ state: { prices: null, monthlySpendLimit: null } });
  });

  it.each<[string, Partial<WrittenEndpoint>, Partial<WrittenEndpoint> | undefined]>([
    ['set a key', { apiKey: 'sk-2' }, undefined],
    ['remove a key', { apiKey: null }, { apiKey: 'sk-1' }],
    ['set a limit', { prices, monthlySpendLimit: '20' }, undefined],
    ['remove a limit', { prices }, { prices, monthlySpendLimit: '20' }],
    ['raise a limit', { prices, monthlySpendLimit: '30' }, { prices, monthlySpendLimit: '20' }],
    [
      'make tokens cheaper below a limit',
      { prices: { ...prices, inputPerMillion: '0' }, monthlySpendLimit: '20' },
      { prices, monthlySpendLimit: '20' },
    ],
  ])('an app cannot %s', (_what, change, before) => {
    const current = before && stored(before);
    expect(put(change, current, true)).toMatchObject({ refusal: { code: 'forbidden' } });
    expect(put(change, current, false)).toMatchObject({ ok: true });
  });

  it('an app can change what is neither key nor limit', () => {
    const current = stored({ apiKey: 'sk-1', prices, monthlySpendLimit: '20' });
    expect(put({ model: 'large', prices, monthlySpendLimit: '20' }, current, true)).toMatchObject({ ok: true });
    expect(put({ prices }, stored({ apiKey: 'sk-1' }), true)).toMatchObject({ ok: true });
    expect(removeEndpoint(current, { byApp: true })).toMatchObject({ refusal: { code: 'forbidden' } });
    expect(removeEndpoint(current, { byApp: false })).toMatchObject({ state: null });
    expect(removeEndpoint(stored(), { byApp: true })).toMatchObject({ state: null });
  });

  it('the audit log never has the key of an endpoint', () => {
    const decision = put({ apiKey: 'sk-secret', model: 'large' }, stored({ apiKey: 'sk-1' }));
    const audit = decision.ok ? decision.events[0]?.audit : undefined;
    expect(audit).toMatchObject({
      type: 'assistant_endpoint.changed',
      changes: { model: { from: 'small', to: 'large' }, api_key: { from: '(set)', to: '(set)' } },
    });
    expect(JSON.stringify(audit)).not.toContain('sk-');
  });
});
