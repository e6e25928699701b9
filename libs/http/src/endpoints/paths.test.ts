import { describe, expect, it } from '@jest/globals';
import { type Endpoint, endpoint } from './endpoint.ts';
import { groupByPath } from './paths.ts';
import { empty } from '../responses/response.ts';

function declared(path: string, method: Endpoint<undefined>['method'] = 'get'): Endpoint<undefined> {
  const declaration = { tag: 'T', summary: 'S', responses: { 204: null } } as const;
  return { ...endpoint('none')({ ...declaration, route: 'GET /', handle: () => empty(204) }), path, method };
}

describe('endpoints by path', () => {
  it('endpoints by path have literal segments before parameters, whatever the order of declaration', () => {
    const paths = ['/:kind/latest', '/calls/:id', '/calls/:id/notes', '/calls', '/calls/active', '/'];
    for (const order of [paths, paths.toReversed()]) {
      const sorted = [...groupByPath(order.map((path) => declared(path))).keys()];
      expect(sorted.indexOf('/calls/active')).toBeLessThan(sorted.indexOf('/calls/:id'));
      expect(sorted.indexOf('/calls/active')).toBeLessThan(sorted.indexOf('/:kind/latest'));
      expect(sorted.indexOf('/calls/:id')).toBeLessThan(sorted.indexOf('/:kind/latest'));
    }
  });

  it('endpoints by path have the allowed methods of a path', () => {
    const resources = groupByPath([declared('/a', 'post'), declared('/a'), declared('/b', 'delete')]);
    expect([...resources].map(([path, { allow }]) => [path, allow])).toEqual([
      ['/a', 'GET, HEAD, POST'],
      ['/b', 'DELETE'],
    ]);
  });

  it.each([
    [['/a', '/a'], 'declared twice'],
    [['/a/:id', '/a/:name'], 'the same shape'],
    [['a'], 'not a path template'],
    [['/a/'], 'not a path template'],
    [['/a/*'], 'not a path template'],
    [['/a/:id{x}'], 'not a path template'],
    [['/:id/:id'], 'named twice'],
  ])('endpoints by path refuse %j: %s', (paths, why) => {
    expect(() => groupByPath(paths.map((path) => declared(path)))).toThrow(why);
  });
});
