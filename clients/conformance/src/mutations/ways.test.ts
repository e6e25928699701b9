import { describe, expect, it } from '@jest/globals';
import type { Answer, SeenRequest } from './mutation.ts';
import * as ways from './ways.ts';

const answered = (status: number, body: unknown): Answer => ({ status, headers: { 'x-a': '1' }, body });
const request: SeenRequest = {
  method: 'GET',
  path: '/things/1',
  query: new URLSearchParams('limit=2&a=1'),
  headers: {},
  body: { a: 1, b: 2 },
};
const exchange = { request, seen: (key: string) => (key === 'GET /things/1' ? answered(200, { id: 1 }) : undefined) };

describe('a way to break a rule', () => {
  it.each([
    ['another status', ways.statusInstead(201, 200), answered(201, {}), { status: 200 }],
    ['another status, where it is not that one', ways.statusInstead(201, 200), answered(422, {}), { status: 422 }],
    [
      'without a field, at any depth',
      ways.withoutField('a'),
      answered(200, [{ a: 1, b: { a: 2 } }]),
      { body: [{ b: {} }] },
    ],
    [
      'without a field, of refusals',
      ways.withoutField('error'),
      answered(404, { error: 'x' }),
      { body: { error: 'x' } },
    ],
    [
      'another value',
      ways.changeField('a', (a, { b }) => a + b),
      answered(200, { a: 1, b: 2 }),
      { body: { a: 3, b: 2 } },
    ],
    ['another order', ways.reversed(), answered(200, [1, 2]), { body: [2, 1] }],
    ['another order below a key', ways.reversed('c'), answered(200, { c: [1, 2] }), { body: { c: [2, 1] } }],
    ['another header', ways.withHeader('x-a', '2'), answered(200, ''), { headers: { 'x-a': '2' }, body: '' }],
    [
      'what was seen',
      ways.seenInstead(404, 200, ({ request: { path } }) => `GET ${path}`),
      answered(404, {}),
      { status: 200, body: { id: 1 } },
    ],
    ['what was never seen', ways.seenInstead(404, 200, () => 'GET /other'), answered(404, {}), { status: 404 }],
    [
      'accepted',
      ways.acceptedInstead(422, 201, ({ body }) => body),
      answered(422, {}),
      { status: 201, body: { a: 1, b: 2 } },
    ],
  ])('a way to break a rule changes an answer: %s', (_case, change, answer, expected) => {
    expect(change(answer, exchange)).toMatchObject(expected);
  });

  it('a way to break a rule changes a request', () => {
    expect(ways.withoutParameter('limit')(request).query.toString()).toBe('a=1');
    expect(request.query.get('limit')).toBe('2');
    expect(ways.changeSent('a', (value) => `${value}!`)(request).body).toEqual({ a: '1!', b: 2 });
    expect(ways.changeSent('a', () => undefined)(request).body).toEqual({ b: 2 });
    expect(ways.changeSent('c', () => 1)(request)).toBe(request);
  });
});
