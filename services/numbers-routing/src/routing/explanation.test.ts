import { describe, expect, it } from '@jest/globals';
import { testNumber } from '../../test/test-number.ts';
import type { CallFlow } from '../call-flows/call-flow.ts';
import { explainEmployees, type KnownEmployee, routeReasons } from './explanation.ts';
import { resolveRoute } from './route.ts';

const at = new Date('2026-01-05T12:00:00Z');
const available: KnownEmployee = {
  id: 'emp_a',
  name: 'Ada',
  invitationPending: false,
  status: 'available',
  doNotDisturb: null,
};

describe('why a call is forwarded', () => {
  const forward: CallFlow = { type: 'ForwardConfig', phoneNumber: '+4520304050', timeoutSecs: 30, confirm: true };
  const reasons = (more: Parameters<typeof testNumber>[0]) => {
    const number = testNumber({ incomingCallConfig: forward, ...more });
    return routeReasons(number, resolveRoute(number, at)).slice(-2);
  };

  it('the reasons of a forwarded call name the phone and what happens when nobody there accepts it', () => {
    expect(reasons({ noAnswerConfig: forward, noAnswerTimeoutSecs: 15 })).toEqual([
      'The call is forwarded to +4520304050, which rings for 30 seconds.',
      'If nobody there answers and presses 1, no_answer_config applies.',
    ]);
    expect(reasons({ incomingCallConfig: { ...forward, confirm: false } })[1]).toMatch(
      /^If nobody there answers, the call ends/,
    );
  });
});

describe('who would be rung', () => {
  const flow: CallFlow = { type: 'TransferConfig', employeeIds: ['emp_a'] };
  const explain = (employee?: KnownEmployee) =>
    explainEmployees(flow, new Map(employee ? [['emp_a', employee]] : []), at)[0];

  it.each([
    [available, null],
    [{ ...available, status: 'on_call' }, 'on_call'],
    [{ ...available, status: 'ringing' }, 'ringing'],
    [{ ...available, status: 'logged_out' }, 'logged_out'],
    [{ ...available, status: 'unknown' }, 'unknown'],
    [{ ...available, invitationPending: true }, 'invitation_pending'],
    [{ ...available, doNotDisturb: { expiresAt: null } }, 'do_not_disturb'],
    [{ ...available, doNotDisturb: { expiresAt: new Date('2026-01-05T12:00:01Z') } }, 'do_not_disturb'],
    [{ ...available, status: 'do_not_disturb', doNotDisturb: { expiresAt: at } }, null],
    [undefined, 'no_longer_an_employee'],
  ] as const)('an employee would be rung unless there is a reason against it (%#): %j', (employee, reason) => {
    expect(explain(employee)).toMatchObject({ id: 'emp_a', digit: null, wouldRing: reason === null, reason });
  });

  it('an employee who would be rung has the menu key that leads there', () => {
    const menu: CallFlow = {
      type: 'PhoneMenuConfig',
      welcome: 'W',
      menuOptions: [
        { id: 1, digit: '3', actionType: 'TransferConfig', prompt: null, employeeIds: ['emp_a'] },
        { id: 2, digit: '4', actionType: 'VoicemailConfig', prompt: 'P', employeeIds: [] },
      ],
    };
    expect(explainEmployees(menu, new Map([['emp_a', available]]), at)).toEqual([
      { id: 'emp_a', name: 'Ada', digit: '3', wouldRing: true, reason: null },
    ]);
  });
});

describe('the reasons for a route', () => {
  const reasons = (number: ReturnType<typeof testNumber>, when: string) =>
    routeReasons(number, resolveRoute(number, new Date(when))).join(' ');

  it.each([
    [
      testNumber(),
      '2026-01-05T12:00:00Z',
      /Monday 13:00; on Monday .* open from 09:00 to 17:00.* incoming_call_config applies/,
    ],
    [testNumber(), '2026-01-10T12:00:00Z', /closed all day.* outside_business_hours_config applies/],
    [testNumber({ outsideBusinessHoursConfig: null }), '2026-01-10T12:00:00Z', /is not set, so incoming_call_config/],
    [testNumber({ active: false }), '2026-01-05T12:00:00Z', /takes no calls/],
    [
      testNumber({ closures: [{ id: 'clo_1', name: 'Moving day', from: '2026-01-05', to: '2026-01-05' }] }),
      '2026-01-05T12:00:00Z',
      /The closure “Moving day” applies on 2026-01-05: .* outside_business_hours_config applies/,
    ],
    [
      testNumber({ closures: [{ id: 'clo_1', name: 'Winter', from: '2026-01-02', to: '2026-01-05' }] }),
      '2026-01-05T12:00:00Z',
      /from 2026-01-02 to 2026-01-05/,
    ],
    [
      testNumber({
        businessHours: testNumber().businessHours.map((entry) => ({
          ...entry,
          breaks: [{ from: '13:00', to: '14:00' }],
        })),
      }),
      '2026-01-05T12:00:00Z',
      /There is a break from 13:00 to 14:00.* outside_business_hours_config applies/,
    ],
    [
      testNumber({ noAnswerConfig: { type: 'RejectConfig', message: 'x' }, noAnswerTimeoutSecs: 15 }),
      '2026-01-05T12:00:00Z',
      /within 15 seconds, no_answer_config applies/,
    ],
    [testNumber({ noAnswerConfig: { type: 'RejectConfig', message: 'x' } }), '2026-01-05T12:00:00Z', /timer is off/],
  ])('the reasons for a route are given in words: %#', (number, when, words) => {
    expect(reasons(number, when)).toMatch(words);
  });
});
