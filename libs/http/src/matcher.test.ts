import { describe, expect, it } from '@jest/globals';
import { compileMatcher, parameterNames } from './matcher.ts';

const TEMPLATES = [
  '/calls/:id',
  '/calls/active',
  '/calls/:id/transfers',
  '/calls/:id/transfers/:transfer_id/completion',
  '/calls/seen/archive',
  '/contacts',
  '/',
];

function matcherOf(templates: readonly string[]) {
  return compileMatcher(new Map(templates.map((template) => [template, template])));
}

describe('a matcher', () => {
  it.each([
    ['/', '/', []],
    ['/contacts', '/contacts', []],
    ['/calls/active', '/calls/active', []],
    ['/calls/call_1', '/calls/:id', ['call_1']],
    ['/calls/seen', '/calls/:id', ['seen']],
    ['/calls/seen/transfers', '/calls/:id/transfers', ['seen']],
    ['/calls/active/transfers', '/calls/:id/transfers', ['active']],
    ['/calls/a/transfers/b/completion', '/calls/:id/transfers/:transfer_id/completion', ['a', 'b']],
    ['/calls/%2B45%2012', '/calls/:id', ['+45 12']],
    ['/calls/a%2Fb', '/calls/:id', ['a/b']],
    ['/calls/..', '/calls/:id', ['..']],
    ['/calls/__proto__', '/calls/:id', ['__proto__']],
  ])('takes %s for %s, whatever the order of declaration', (path, template, parameters) => {
    expect(matcherOf(TEMPLATES)(path)).toEqual({ value: template, parameters });
    expect(matcherOf(TEMPLATES.toReversed())(path)).toEqual({ value: template, parameters });
  });

  it.each([
    '',
    '/contact',
    '/contacts/',
    '//contacts',
    '/Contacts',
    '/calls/',
    '/calls//transfers',
    '/calls/a/b',
    '/calls/a/transfers/b',
    '/calls/%',
    '/calls/%FF',
    '/calls/%C3%28',
    '/calls/a%00b',
    '/__proto__',
    '/constructor',
  ])('does not know %s', (path) => {
    expect(matcherOf(TEMPLATES)(path)).toBeUndefined();
  });

  it.each([[['/calls/:id', '/calls/:call_id']], [['calls']], [['/calls/']], [['/calls/:id.json']], [['/calls/*']]])(
    'refuses to start with %j',
    (templates) => {
      expect(() => matcherOf(templates)).toThrow();
    },
  );
});

describe('parameterNames', () => {
  it('names parameters in order', () => {
    expect(parameterNames('/calls/:call_id/transfers/:id')).toEqual(['call_id', 'id']);
  });

  it('refuses a name that stands twice', () => {
    expect(() => parameterNames('/calls/:id/transfers/:id')).toThrow('twice');
  });
});
