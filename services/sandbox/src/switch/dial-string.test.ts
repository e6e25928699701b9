import { describe, expect, it } from '@jest/globals';
import { parseEndpoint, parseOriginate } from './dial-string.ts';

/** The variables of each endpoint, by round. */
const rounds = (line: string) => {
  const command = parseOriginate(line);
  return typeof command === 'object' ? command.rounds : undefined;
};

describe('an originate command', () => {
  it('an originate command has variables, endpoints and an application', () => {
    const variables = { origination_uuid: 'u', app_name: 'Smith John' };
    expect(
      parseOriginate("{origination_uuid=u,app_name='Smith John'}user/a@d,user/b@d &conference(room@parley)"),
    ).toEqual({
      rounds: [
        [
          { text: 'user/a@d', variables },
          { text: 'user/b@d', variables },
        ],
      ],
      application: { name: 'conference', argument: 'room@parley' },
    });
    expect(parseOriginate('user/a@d &park()')).toMatchObject({
      rounds: [[{ text: 'user/a@d', variables: {} }]],
      application: { name: 'park', argument: '' },
    });
  });

  it.each([
    ["{n='Smith, John',b=1}user/a &park()", { n: 'Smith', b: '1' }],
    [String.raw`{n='Smith\, John',b=2}user/a &park()`, { n: 'Smith, John', b: '2' }],
    [String.raw`{n='O\'Brien'}user/a &park()`, { n: "O'Brien" }],
    ['{n=Smith,app_evil=1}user/a &park()', { n: 'Smith', app_evil: '1' }],
  ])('the originate command %s sets %j, as a real switch does', (line, variables) => {
    expect(rounds(line)).toMatchObject([[{ variables }]]);
  });

  it('an originate command has alternatives, variables of one endpoint, and originates of their own, as on a real switch', () => {
    expect(rounds('{a=1}user/x|[a=2,b=3]user/y,user/z &park()')).toEqual([
      [{ text: 'user/x', variables: { a: '1' } }],
      [
        { text: 'user/y', variables: { a: '2', b: '3' } },
        { text: 'user/z', variables: { a: '1' } },
      ],
    ]);
    expect(rounds('{a=1}sofia/internal/sip:x@h;p=:_:[a=2]sofia/external/+1900@c &park()')).toEqual([
      [
        { text: 'sofia/internal/sip:x@h;p=', variables: { a: '1' } },
        { text: 'sofia/external/+1900@c', variables: { a: '2' } },
      ],
    ]);
    expect(rounds('<a=1>user/x:_:{a=2}user/y &park()')).toEqual([
      [
        { text: 'user/x', variables: { a: '1' } },
        { text: 'user/y', variables: { a: '2' } },
      ],
    ]);
  });

  it.each(['{n=Smith John}user/a &park()', 'user/a park', 'user/a &(x)', '[a=1] &park()'])(
    'the originate command %s cannot be read',
    (line) => {
      expect(parseOriginate(line)).toBeUndefined();
    },
  );

  it.each(['', 'user/a'])('the originate command %j gets the usage', (line) => {
    expect(parseOriginate(line)).toBe('usage');
  });
});

describe('an endpoint', () => {
  it.each([
    ['user/emp_1@parley.invalid', { kind: 'user', user: 'emp_1@parley.invalid' }],
    ['sofia/internal/sip:emp_1@127.0.0.1:20001', { kind: 'contact', uri: 'sip:emp_1@127.0.0.1:20001' }],
    ['sofia/internal/emp_1@127.0.0.1:20001', { kind: 'contact', uri: 'sip:emp_1@127.0.0.1:20001' }],
    ['sofia/external/+4520304050@carrier.invalid', { kind: 'carrier', number: '+4520304050' }],
    ['null/x', { kind: 'null' }],
    ['loopback/1', undefined],
    ['', undefined],
  ])('the endpoint %s is read as %j', (endpoint, destination) => {
    expect(parseEndpoint(endpoint)).toEqual(destination);
  });
});
