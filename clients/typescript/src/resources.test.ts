import { describe, expect, it } from '@jest/globals';
import { emptyResponse, jsonResponse, networkError, type Scripted, scriptedFetch } from '../test/scripted-fetch.ts';
import { Parley } from './parley.ts';

function parleyWith(...script: Scripted[]) {
  const { fetch, sent } = scriptedFetch(...script);
  return { parley: new Parley({ apiKey: 'pk_1', baseUrl: 'https://phone.example', fetch }), sent };
}

const paths = (sent: readonly { method: string; url: string }[]) =>
  sent.map(({ method, url }) => `${method} ${url.replace('https://phone.example/api/v1', '')}`);

describe('a method', () => {
  it('a method takes ids by their position, then the body or the query, then the options', async () => {
    const { parley, sent } = parleyWith(jsonResponse({}));
    await parley.businessNumbers.closures.update('num/1', 'clo 2', { name: 'Easter' }, { headers: { 'X-Own': '1' } });
    await parley.contacts.get('con_1', { headers: { 'X-Own': '2' } });
    await parley.reports.calls({ group_by: 'day' });
    expect(paths(sent)).toEqual([
      'PATCH /business_numbers/num%2F1/closures/clo%202',
      'GET /contacts/con_1',
      'GET /reports/calls?group_by=day',
    ]);
    expect(sent.map(({ headers }) => headers.get('x-own'))).toEqual(['1', '2', null]);
    expect(sent[0]!.body).toBe('{"name":"Easter"}');
  });

  it.each(['', '.', '..', undefined, null, 7])('a method refuses %j as an id', (id) => {
    const { parley, sent } = parleyWith(jsonResponse({}));
    expect(() => parley.contacts.get(id as string)).toThrow('id is not an id');
    expect(sent).toEqual([]);
  });

  it('a method gives text where the response is text, and nothing where there is no body', async () => {
    const { parley, sent } = parleyWith(
      new Response('name,phone'),
      emptyResponse(204),
      jsonResponse({ id: 'imp_1' }, 202),
    );
    expect(await parley.contacts.export()).toBe('name,phone');
    expect(await parley.contacts.delete('con_1')).toBeUndefined();
    await parley.contacts.imports.create('phone\n+4520304050');
    expect([sent[2]!.body, sent[2]!.headers.get('content-type')]).toEqual(['phone\n+4520304050', 'text/csv']);
  });

  it('a text is sent with one key in all attempts, with a new one for each text', async () => {
    const lost = networkError('ECONNRESET');
    const { parley, sent } = parleyWith(
      lost,
      lost,
      jsonResponse({ id: 'msg_1' }, 201),
      jsonResponse({ id: 'msg_2' }, 201),
    );
    await parley.messages.send('num_1', { to: '+4520304050', text: 'Hello' });
    await parley.messages.send('num_1', { to: '+4520304050', text: 'Hello' });
    const keys = sent.map(({ headers }) => headers.get('idempotency-key')!);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys.slice(1, 3)).toEqual([keys[0], keys[0]]);
    expect(keys[3]).not.toBe(keys[0]);
  });

  it('a text is sent with the key that the program gives', async () => {
    const { parley, sent } = parleyWith(networkError('ECONNRESET'), jsonResponse({}, 201));
    await parley.messages.send('num_1', { to: '+4520304050', text: 'Hi' }, { idempotencyKey: 'order-7' });
    await parley.messages.send('num_1', { to: '+4520304050', text: 'Hi', idempotency_key: 'order-8' });
    expect(sent.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['order-7', 'order-7', null]);
    expect(sent[2]!.body).toContain('order-8');
  });
});

describe('a list', () => {
  const calls = (ids: number[], next: string | null) =>
    jsonResponse({ calls: ids.map((id) => ({ id: `call_${id}` })), next_cursor: next });

  it('a list gives its first page, and from it the next ones', async () => {
    const { parley, sent } = parleyWith(calls([1, 2], 'c2'), calls([3], null));
    const first = await parley.calls.list({ direction: 'inbound' });
    expect(first.data.map(({ id }) => id)).toEqual(['call_1', 'call_2']);
    expect(first.nextCursor).toBe('c2');
    const second = await first.nextPage();
    expect(second!.data).toHaveLength(1);
    expect(await second!.nextPage()).toBeUndefined();
    expect(paths(sent)).toEqual(['GET /calls?direction=inbound', 'GET /calls?direction=inbound&cursor=c2']);
  });

  it('a list gives every item of all pages', async () => {
    const { parley } = parleyWith(calls([1, 2], 'c2'), calls([], 'c3'), calls([3], null));
    const ids: string[] = [];
    for await (const { id } of parley.calls.list()) ids.push(id);
    expect(ids).toEqual(['call_1', 'call_2', 'call_3']);
  });

  it('a list sends nothing before somebody wants it, and its first page once', async () => {
    const { parley, sent } = parleyWith(calls([1], null));
    const list = parley.calls.list();
    expect(sent).toHaveLength(0);
    await list;
    for await (const _ of list);
    expect(sent).toHaveLength(1);
  });

  it('a list of contacts follows the header Link', async () => {
    const link = { Link: '<https://elsewhere.example/api/v1/contacts?limit=100&cursor=a%2Bb>; rel="next"' };
    const { parley, sent } = parleyWith(jsonResponse([{ id: 'con_1' }], 200, link), jsonResponse([{ id: 'con_2' }]));
    const ids: string[] = [];
    for await (const { id } of parley.contacts.list({ query: 'ane' })) ids.push(id);
    expect(ids).toEqual(['con_1', 'con_2']);
    expect(paths(sent)).toEqual([
      'GET /contacts?limit=100&query=ane',
      'GET /contacts?limit=100&query=ane&cursor=a%2Bb',
    ]);
  });

  it('a list without pages is a list all the same', async () => {
    const { parley } = parleyWith(jsonResponse({ employees: [{ id: 'emp_1' }] }));
    const page = await parley.employees.list();
    expect([page.data.length, page.nextCursor, await page.nextPage()]).toEqual([1, null, undefined]);
  });

  it.each([
    ['whose pages have their own cursor as the next', [calls([1], 'c'), calls([2], 'c')]],
    ['whose response is another object', [jsonResponse({ other: [] })]],
  ])('a list %s ends with an error', async (_name, script) => {
    const { parley } = parleyWith(...script);
    await expect(Array.fromAsync(parley.calls.list())).rejects.toMatchObject({ name: 'ServerError' });
  });
});

describe('the pages of any list', () => {
  const read = async (parley: Parley, path: string, query = {}) =>
    (await Array.fromAsync(parley.pages(path, { query }))).map(({ body }) => body);

  it('the pages of any list are found by the cursor in their body', async () => {
    const [first, last] = [
      { things: [1], next_cursor: 'c1' },
      { things: [2], next_cursor: null },
    ];
    const { parley, sent } = parleyWith(jsonResponse(first), jsonResponse(last));
    expect(await read(parley, '/things', { size: 1 })).toEqual([first, last]);
    expect(paths(sent)).toEqual(['GET /things?size=1', 'GET /things?size=1&cursor=c1']);
  });

  it('the pages of any list are found by the header Link where the service has it', async () => {
    const link = { Link: '<https://phone.example/api/v1/contacts?cursor=c%2B1&limit=100>; rel="next"' };
    const { parley, sent } = parleyWith(jsonResponse([1], 200, link), jsonResponse([2]));
    expect(await read(parley, '/contacts')).toEqual([[1], [2]]);
    expect(paths(sent)).toEqual(['GET /contacts?limit=100', 'GET /contacts?limit=100&cursor=c%2B1']);
  });

  it('the pages of any list of events begin at a time, go on behind a cursor, and end', async () => {
    const page = (events: number[], cursor: string, more: boolean) =>
      jsonResponse({ events, next_cursor: cursor, has_more: more });
    const { parley, sent } = parleyWith(page([1], 'c1', true), page([], 'c2', false));
    expect(await read(parley, '/events', { from: '2026-11-01T00:00:00Z' })).toHaveLength(2);
    expect(paths(sent)).toEqual(['GET /events?from=2026-11-01T00%3A00%3A00Z', 'GET /events?after=c1']);
  });

  it('the pages of any list end with an error when a page is its own successor', async () => {
    const { parley } = parleyWith(jsonResponse({ things: [], next_cursor: 'c1' }));
    await expect(read(parley, '/things')).rejects.toMatchObject({ name: 'ServerError' });
  });

  it('the pages of any list may be a single one', async () => {
    const { parley, sent } = parleyWith(jsonResponse({ employees: [1] }));
    expect(await read(parley, '/employees')).toEqual([{ employees: [1] }]);
    expect(sent).toHaveLength(1);
  });
});
