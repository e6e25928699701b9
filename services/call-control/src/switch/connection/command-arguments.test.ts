import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { flushArgument, validArgument, UnsafeArgument } from './command-arguments.ts';

const domain = 'parley.invalid';
const flush = (callId: string) => flushArgument({ callId, employeeId: 'emp_1' }, domain);

describe('the registration that is removed from a switch', () => {
  it.each(['a84b4c76e66710@pc33.example.com', 'yFa4WTdsGuuFnrFx5Iinqw..', '1-26490@127.0.0.1'])(
    'the registration that is removed from a switch is that of the Call-ID %s',
    (callId) => {
      expect(flush(callId)).toBe(callId);
    },
  );

  it.each([
    // The switch would end every registration of the domain, those of another employee, or all of them.
    domain,
    domain.toUpperCase(),
    `emp_2@${domain}`,
    `emp_2@${domain.toUpperCase()}`,
    'reboot',
    'a b',
    'a reboot',
    "a' or '1'='1",
    '{1-2}',
    '',
    'x'.repeat(1000),
  ])('the registration that is removed from a switch is that of the employee for the Call-ID %j', (callId) => {
    expect(flush(callId)).toBe(`emp_1@${domain}`);
  });

  it('the registration that is removed from a switch is one word that names a Call-ID or this employee, whatever the Call-ID', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), (callId) => {
        const argument = flush(callId);
        expect(argument).toMatch(/^[A-Za-z0-9._~+:@-]+$/);
        const [user, host] = argument.split('@');
        if (host === domain) expect(user).toBe('emp_1');
      }),
    );
  });
});

it.each([
  ['id', '../x'],
  ['id', '-both'],
  ['id', ':_:'],
  ['caller', '+45,a=1'],
  ['caller', '0900 1234'],
  ['cause', 'NORMAL CLEARING'],
  ['count', '-1'],
  ['directory', '/var/../etc'],
  ['directory', 'var'],
  ['url', 'http://a/b c'],
  ['url', 'http://user@host/'],
] as const)('the argument %s cannot be %j', (form, value) => {
  expect(() => validArgument(form, value)).toThrow(UnsafeArgument);
});
