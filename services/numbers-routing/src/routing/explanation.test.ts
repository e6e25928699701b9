import { describe, expect, it } from '@jest/globals';
import { testNumber } from '../../test/test-number.ts';
import type { KnownAssistant } from '../assistants/assistant-client.ts';
import type { CallFlow, FallbackFlow } from '../call-flows/call-flow.ts';
import { explainAssistants, explainEmployees, type KnownEmployee, routeReasons } from './explanation.ts';
import { resolveRoute } from './route.ts';

const at = new Date('2026-01-05T12:00:00Z');
const available: KnownEmployee = {
  id: 'emp_a',
  name: 'Ada',
  invitationPending: false,
  active: true,
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

describe('why an assistant answers', () => {
  const robin: KnownAssistant = { name: 'Robin', active: true, engine: 'embedded' };
  const reasons = (
    fallback: FallbackFlow,
    assistant: KnownAssistant = robin,
    more: Parameters<typeof testNumber>[0] = {},
  ) => {
    const incomingCallConfig: CallFlow = { type: 'AssistantConfig', assistantId: 'ast_a', fallback };
    const number = testNumber({ incomingCallConfig, ...more });
    return routeReasons(number, resolveRoute(number, at), new Map([['ast_a', assistant]])).slice(2);
  };
  const transfer: FallbackFlow = { type: 'TransferConfig', employeeIds: ['emp_a'] };
  const voicemail: FallbackFlow = { type: 'VoicemailConfig', greeting: 'Speak' };

  it.each<[FallbackFlow, string]>([
    [transfer, 'employees ring.'],
    [
      { type: 'WelcomeTransferConfig', welcome: 'Hi', employeeIds: ['emp_a'] },
      'the caller hears a welcome, then employees ring.',
    ],
    [voicemail, 'the caller can leave a voicemail.'],
    [{ type: 'RejectConfig', message: 'Sorry' }, 'the caller hears a message, then the call ends.'],
    [
      { type: 'ForwardConfig', phoneNumber: '+4520304050', timeoutSecs: 30, confirm: true },
      'the call is forwarded to +4520304050, which rings for 30 seconds.',
    ],
  ])('the reasons of an answering assistant name it, its engine and its fallback: %j', (fallback, words) => {
    expect(reasons(fallback).slice(0, 2)).toEqual([
      'The assistant “Robin” answers, with the embedded engine.',
      `Its fallback: ${words}`,
    ]);
  });

  it('the reasons of an answering assistant say whether a model decides, and whether it is active', () => {
    expect(reasons(voicemail, { ...robin, engine: 'endpoint' })).toEqual([
      'The assistant “Robin” answers, with the model of an endpoint.',
      'Its fallback: the caller can leave a voicemail.',
    ]);
    expect(reasons(voicemail, { ...robin, active: false })[0]).toBe(
      'The assistant “Robin” is not active: calls go to its fallback at once.',
    );
  });

  it('the reasons of an answering assistant mention the no-answer timer only where its fallback rings', () => {
    const timer = { noAnswerConfig: voicemail, noAnswerTimeoutSecs: 15 };
    expect(reasons(voicemail, robin, timer)).toHaveLength(2);
    expect(reasons(transfer, robin, timer)[2]).toBe(
      'If no employee answers within 15 seconds, no_answer_config applies.',
    );
    const forward: FallbackFlow = {
      type: 'ForwardConfig',
      phoneNumber: '+4520304050',
      timeoutSecs: 30,
      confirm: false,
    };
    expect(reasons(forward, robin, timer)[2]).toBe('If nobody there answers, no_answer_config applies.');
  });

  it('an assistant in a menu is explained with its key, and so are the employees of its fallback', () => {
    const incomingCallConfig: CallFlow = {
      type: 'PhoneMenuConfig',
      welcome: 'W',
      menuOptions: [
        {
          id: 1,
          digit: '3',
          actionType: 'AssistantConfig',
          prompt: null,
          employeeIds: [],
          assistant: { assistantId: 'ast_a', fallback: transfer },
        },
      ],
    };
    const known = new Map([['ast_a', robin]]);
    expect(reasons(transfer, robin, { incomingCallConfig }).slice(0, 2)).toEqual([
      'Key 3: The assistant “Robin” answers, with the embedded engine.',
      'Key 3: Its fallback: employees ring.',
    ]);
    expect(explainAssistants(incomingCallConfig, known)).toMatchObject([{ id: 'ast_a', digit: '3', name: 'Robin' }]);
    expect(explainEmployees(incomingCallConfig, new Map([['emp_a', available]]), at)).toMatchObject([
      { id: 'emp_a', digit: '3', wouldRing: true },
    ]);
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
    [{ ...available, active: false }, 'deactivated'],
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
