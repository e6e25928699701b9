import { describe, expect, it } from '@jest/globals';
import { parseEndpoint, parseOriginate } from './dial-string.ts';

describe('an originate command', () => {
  it('has variables, endpoints and an application', () => {
    expect(
      parseOriginate("{origination_uuid=u,app_name='Smith John'}user/a@d,user/b@d &conference(room@parley)"),
    ).toEqual({
      variables: { origination_uuid: 'u', app_name: 'Smith John' },
      endpoints: ['user/a@d', 'user/b@d'],
      application: { name: 'conference', argument: 'room@parley' },
    });
    expect(parseOriginate('user/a@d &park()')).toMatchObject({
      variables: {},
      application: { name: 'park', argument: '' },
    });
  });

  it.each([
    ["{n='Smith, John',b=1}user/a &park()", { n: 'Smith', b: '1' }],
    [String.raw`{n='Smith\, John',b=2}user/a &park()`, { n: 'Smith, John', b: '2' }],
    [String.raw`{n='O\'Brien'}user/a &park()`, { n: "O'Brien" }],
    ['{n=Smith,app_evil=1}user/a &park()', { n: 'Smith', app_evil: '1' }],
  ])('%s sets %j, as a real switch does', (line, variables) => {
    expect(parseOriginate(line)).toMatchObject({ variables });
  });

  it.each(['{n=Smith John}user/a &park()', 'user/a park', 'user/a &(x)'])('%s cannot be read', (line) => {
    expect(parseOriginate(line)).toBeUndefined();
  });

  it.each(['', 'user/a'])('%j gets the usage', (line) => {
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
  ])('%s is %j', (endpoint, destination) => {
    expect(parseEndpoint(endpoint)).toEqual(destination);
  });
});
