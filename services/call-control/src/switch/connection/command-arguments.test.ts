import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { assistantDialString, dialTarget, flushArgument, validArgument, UnsafeArgument } from './command-arguments.ts';

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

describe('the address of an assistant', () => {
  it.each([
    'sip:res_0123456789@10.0.0.7:5090',
    'sip:abcdefgh@assistant-0.assistant.parley.svc:5090',
    'sip:abcdefgh@[2001:db8::7]:5090',
  ])('the address of an assistant is called over TCP: %s', (address) => {
    const dialString = assistantDialString(address)!;
    expect(dialString).toBe(`sofia/internal/${address};transport=tcp`);
    expect(dialTarget(dialString)).toBe(dialString);
  });

  it.each([
    '',
    'sip:short@10.0.0.7:5090',
    'sips:res_0123456789@10.0.0.7:5090',
    'sip:res_0123456789@10.0.0.7',
    'sip:res_0123456789@10.0.0.7:5090;fs_path=sip:x',
    'sip:res_0123456789@10.0.0.7:5090,sofia/external/+900@x',
    'sip:res_0123456789@10.0.0.7:5090 &system(id)',
    'sip:res_0123456789@10.0.0.7:5090|error/user_busy',
    'sip:${system(id)}@10.0.0.7:5090',
    'sip:res_01234[a=1]56789@10.0.0.7:5090',
    'sip:res_0123456789@10.0.0.7:5090\napi system id',
    'sip:res_0123456789@-both:5090',
  ])('the address of an assistant cannot be %j', (address) => {
    expect(assistantDialString(address)).toBeUndefined();
    expect(() => dialTarget(`sofia/internal/${address};transport=tcp`)).toThrow(UnsafeArgument);
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
