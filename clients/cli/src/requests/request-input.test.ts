import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type ApiOptions, readApiInput } from './request-input.ts';

const read = (method: string, target: string, options: ApiOptions = {}) =>
  readApiInput(method, target, options, { readStandardInput: () => Promise.resolve(Buffer.from('from input')) });
const FORM = 'application/x-www-form-urlencoded';

describe('a request of the command line', () => {
  it('a request of the command line takes a path with and without its beginning, and parameters from everywhere', async () => {
    for (const target of ['/contacts?limit=2', '/api/v1/contacts?limit=2'])
      expect(await read('get', target, { query: ['query=a=b', 'cursor='] })).toMatchObject({
        method: 'GET',
        path: '/contacts',
        query: { limit: '2', query: 'a=b', cursor: '' },
        headers: {},
      });
  });

  it('a request of the command line sends fields as a form', async () => {
    const { body, headers } = await read('PATCH', '/calls/1', { field: ['note=a & b', 'tags[]=x', 'tags[]=y'] });
    expect([String(body), headers]).toEqual(['note=a+%26+b&tags%5B%5D=x&tags%5B%5D=y', { 'Content-Type': FORM }]);
  });

  it('a request of the command line sends JSON, a file, or what it reads', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'parley-cli-'));
    const file = path.join(folder, 'contacts.csv');
    await writeFile(file, 'phone\n');
    for (const [data, type, sent] of [
      ['{"a":1}', 'application/json', '{"a":1}'],
      ['@-', 'application/json', 'from input'],
      [`@${file}`, 'text/csv', 'phone\n'],
    ] as const) {
      const { body, headers } = await read('POST', '/x', { data });
      expect([Buffer.from(body as Uint8Array).toString(), headers['Content-Type']]).toEqual([sent, type]);
    }
    await rm(folder, { recursive: true });
    await expect(read('POST', '/x', { data: `@${file}` })).rejects.toMatchObject({ exitCode: 2, message: /ENOENT/ });
  });

  it('a request of the command line may have headers of its own', async () => {
    const header = ['content-type: text/plain', 'Idempotency-Key: one'];
    const { headers } = await read('POST', '/x', { data: 'x', header });
    expect(headers).toEqual({ 'content-type': 'text/plain', 'Idempotency-Key': 'one' });
  });

  it.each<[string, string, ApiOptions]>([
    ['FETCH', '/contacts', {}],
    ['GET', 'contacts', {}],
    ['GET', '/../oauth/token', {}],
    ['GET', '/a/%2E%2e/b', {}],
    ['GET', '/contacts', { field: ['a=b'] }],
    ['POST', '/contacts', { field: ['a'] }],
    ['POST', '/contacts', { field: ['=a'] }],
    ['POST', '/contacts', { field: ['a=b'], data: '{}' }],
    ['POST', '/contacts', { paginate: true }],
    ['GET', '/contacts', { header: ['a'] }],
    ['GET', '/contacts', { header: ['a: b\r\nc: d'] }],
  ])('a request of the command line is wrong usage: %s %s %j', async (method, target, options) => {
    await expect(read(method, target, options)).rejects.toMatchObject({ exitCode: 2 });
  });
});
