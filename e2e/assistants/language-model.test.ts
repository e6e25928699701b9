import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Colleague, newColleague, request } from '../roles/staff.ts';
import { type Company, createTestCompany, sharedStack, succeeded } from '../support/api.ts';

let company: Company;
let admin: Colleague;
beforeAll(async () => {
  company = await createTestCompany();
  admin = await newColleague(company, 'admin');
}, 120_000);

const url = 'https://1.1.1.1/v1';
const put = (body: object) => company.call('PUT', '/assistant_endpoint', { url, model: 'small', ...body });
const read = async () => (await succeeded(company.call('GET', '/assistant_endpoint'))).body;
const nothingSpent = {
  month: new Date().toISOString().slice(0, 7),
  amount: null,
  currency: null,
  input_tokens: 0,
  output_tokens: 0,
};

describe('the language model of a company', () => {
  it('the language model of a company is set, shown without its key and removed', async () => {
    const none = {
      url: null,
      model: null,
      api_key_set: false,
      prices: null,
      monthly_spend_limit: null,
      spend: nothingSpent,
      state: 'not_set',
      last_error: null,
    };
    expect(await read()).toEqual(none);
    const prices = { currency: 'EUR', input_per_million: '0.15', output_per_million: '0.60' };
    const { status, body } = await put({ api_key: 'sk-very-secret', prices, monthly_spend_limit: '20' });
    expect([status, body]).toEqual([
      200,
      {
        url,
        model: 'small',
        api_key_set: true,
        prices,
        monthly_spend_limit: '20',
        spend: { ...nothingSpent, amount: '0', currency: 'EUR' },
        state: 'ok',
        last_error: null,
      },
    ]);
    expect(await read()).toEqual(body);
    const options = await company.call('GET', '/assistant_options');
    expect(options.body.endpoint).toEqual({ source: 'company', model: 'small' });
    expect((await put({ model: 'large' })).body).toMatchObject({
      api_key_set: true,
      prices: null,
      monthly_spend_limit: null,
    });
    expect((await company.call('DELETE', '/assistant_endpoint')).status).toBe(204);
    expect((await company.call('DELETE', '/assistant_endpoint')).status).toBe(204);
    expect(await read()).toEqual(none);
    expect((await company.call('POST', '/assistant_endpoint/test')).status).toBe(404);
  });

  it.each<[object, ...string[]]>([
    [{ url: undefined }, 'url'],
    [{ url: 'http://1.1.1.1/v1' }, 'url'],
    [{ url: 'https://10.0.0.1/v1' }, 'url'],
    [{ url: 'https://localhost/v1' }, 'url'],
    [{ url: 'https://user:pass@1.1.1.1/v1' }, 'url'],
    [{ model: '' }, 'model'],
    [{ api_key: '' }, 'api_key'],
    [{ api_key: 7 }, 'api_key'],
    [{ monthly_spend_limit: '20' }, 'monthly_spend_limit'],
    [{ prices: { currency: 'EUR', input_per_million: '1' } }, 'prices.output_per_million'],
    [{ prices: { currency: 'EUR', input_per_million: '1', output_per_million: 2 } }, 'prices.output_per_million'],
    [
      { prices: { currency: 'euro', input_per_million: '1', output_per_million: 'x' } },
      'prices.currency',
      'prices.output_per_million',
    ],
  ])('the language model of a company cannot be %j', async (body, ...fields) => {
    const reply = await put(body);
    expect([reply.status, reply.body.code, Object.keys(reply.body.errors)]).toEqual([422, 'validation_failed', fields]);
  });

  it('the language model of a company may be the sandbox’s', async () => {
    expect((await put({ url: `${sharedStack().sandbox_url}/llm/v1` })).status).toBe(200);
  });

  it('a key is never sent to another address', async () => {
    await succeeded(put({ api_key: 'sk-1' }));
    const elsewhere = { url: 'https://8.8.8.8/v1' };
    expect(await put(elsewhere)).toMatchObject({ status: 422, body: { errors: { api_key: expect.any(Array) } } });
    expect((await put({ ...elsewhere, api_key: null })).body).toMatchObject({ api_key_set: false, ...elsewhere });
  });

  it('an app changes neither the key nor the limit of the language model', async () => {
    const byApp = (method: string, body?: object) => request(admin.byToken, method, '/assistant_endpoint', body);
    const prices = { currency: 'EUR', input_per_million: '1', output_per_million: '2' };
    const limited = { url, model: 'small', prices, monthly_spend_limit: '20' };
    await succeeded(put({ ...limited, api_key: 'sk-1' }));
    for (const [method, body] of [
      ['PUT', { ...limited, api_key: 'sk-2' }],
      ['PUT', { ...limited, api_key: null }],
      ['PUT', { ...limited, api_key: 7 }],
      ['PUT', { ...limited, monthly_spend_limit: '21' }],
      ['PUT', { url, model: 'small', prices }],
      ['DELETE', undefined],
    ] as const)
      expect(await byApp(method, body)).toMatchObject({ status: 403, body: { error: 'forbidden', code: 'forbidden' } });
    expect((await byApp('PUT', { ...limited, model: 'large' })).status).toBe(200);
    expect(await read()).toMatchObject({ model: 'large', api_key_set: true, monthly_spend_limit: '20' });
  });
});
