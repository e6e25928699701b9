import { decided } from '@parley/errors';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aNumber } from '../../test/a-number.ts';
import type { RoutingSlot } from '../call-flows/call-flow.ts';
import { flowIn, ROUTING_SLOTS, type BusinessNumber } from './business-number.ts';
import { changeRouting, employeesNamed, type Written } from './routing-change.ts';

const now = new Date('2026-02-01T12:00:00Z');
const STRANGER = 'emp_stranger';
const strangers = new Set([STRANGER]);
const long = 'x'.repeat(10_001);

const change = (slot: RoutingSlot, body: Written, current = aNumber()) =>
  changeRouting(current, slot, body, strangers, now);

function fieldsOf(decision: ReturnType<typeof changeRouting>): Record<string, readonly string[]> {
  if (decision.ok) throw new Error('it was accepted');
  expect(decision.refusal.code).toBe('validation_failed');
  return { ...decision.refusal.fields };
}

function accepted(decision: ReturnType<typeof changeRouting>): BusinessNumber {
  if (!decision.ok) throw new Error(`it was refused: ${JSON.stringify(decision.refusal.fields)}`);
  return decision.state;
}

const option = (more: Written = {}) => ({
  digit: '1',
  action_type: 'TransferConfig',
  employee_ids: ['emp_a'],
  ...more,
});
const menu = (...options: unknown[]) => ({ type: 'PhoneMenuConfig', welcome: 'Press a key', menu_options: options });

const right: Record<string, Written> = {
  WelcomeTransferConfig: { type: 'WelcomeTransferConfig', welcome: 'Hello', employee_ids: ['emp_a', 'emp_b'] },
  TransferConfig: { type: 'TransferConfig', employee_ids: ['emp_a'] },
  RejectConfig: { type: 'RejectConfig', message: 'Sorry' },
  VoicemailConfig: { type: 'VoicemailConfig', greeting: 'Speak' },
  PhoneMenuConfig: menu(option(), { digit: '2', action_type: 'PlayMessageConfig', prompt: 'Bye' }),
};

const wrongTexts = [undefined, null, '', '  \n', 5, true, ['x'], { text: 'x' }, long];
const wrongEmployees: [unknown, string][] = [
  [undefined, 'employee_ids'],
  [null, 'employee_ids'],
  [[], 'employee_ids'],
  ['emp_a', 'employee_ids'],
  [{}, 'employee_ids'],
  [[5], 'employee_ids[0]'],
  [['emp_a', null], 'employee_ids[1]'],
  [['emp_a', STRANGER], 'employee_ids[1]'],
  [Array.from({ length: 1001 }, () => 'emp_a'), 'employee_ids'],
];

describe.each(ROUTING_SLOTS)('%s', (slot) => {
  it.each(Object.entries(right))('takes a whole %s', (_, body) => {
    const state = accepted(change(slot, body));
    expect(flowIn(state, slot)).toMatchObject({ type: body['type'] });
    expect(state.updatedAt).toBe(now);
  });

  it.each([
    ['WelcomeTransferConfig', 'welcome'],
    ['RejectConfig', 'message'],
    ['VoicemailConfig', 'greeting'],
    ['PhoneMenuConfig', 'welcome'],
  ])('refuses a %s whose %s is missing, blank, too long or no text', (type, field) => {
    for (const wrong of wrongTexts)
      expect(Object.keys(fieldsOf(change(slot, { ...right[type], [field]: wrong })))).toEqual([field]);
  });

  it.each(['WelcomeTransferConfig', 'TransferConfig'])(
    'refuses a %s whose employees are missing, none, no ids or not the company’s',
    (type) => {
      for (const [wrong, field] of wrongEmployees)
        expect(Object.keys(fieldsOf(change(slot, { ...right[type], employee_ids: wrong })))).toEqual([field]);
    },
  );

  it.each([undefined, '', 'transferConfig', 'PlayMessageConfig', 5, {}, ['TransferConfig']])(
    'refuses the type %j',
    (type) => {
      expect(Object.keys(fieldsOf(change(slot, { ...right['TransferConfig'], type })))).toEqual(['type']);
    },
  );

  it('ignores fields of other types, whatever they hold', () => {
    const body = { ...right['RejectConfig'], welcome: 5, employee_ids: [STRANGER], menu_options: 'x', greeting: null };
    expect(flowIn(accepted(change(slot, body)), slot)).toEqual({ type: 'RejectConfig', message: 'Sorry' });
  });

  it.each([undefined, null, [], 'x', {}])('refuses a menu whose options are %j', (wrong) => {
    expect(Object.keys(fieldsOf(change(slot, { ...menu(), menu_options: wrong })))).toEqual(['menu_options']);
  });

  it('refuses a menu of ten options', () => {
    const options = Array.from({ length: 10 }, (_, index) => option({ digit: String((index % 9) + 1) }));
    expect(Object.keys(fieldsOf(change(slot, menu(...options))))).toEqual(['menu_options', 'menu_options[9].digit']);
  });

  it.each([
    [5, ['menu_options[1]']],
    [null, ['menu_options[1]']],
    [[], ['menu_options[1]']],
    [{}, ['menu_options[1].digit', 'menu_options[1].action_type']],
    [option({ digit: undefined }), ['menu_options[1].digit']],
    [option({ digit: 2 }), ['menu_options[1].digit']],
    [option({ digit: '0' }), ['menu_options[1].digit']],
    [option({ digit: '10' }), ['menu_options[1].digit']],
    [option({ digit: '*' }), ['menu_options[1].digit']],
    [option({ digit: '' }), ['menu_options[1].digit']],
    [option({ digit: '1' }), ['menu_options[1].digit']],
    [option({ digit: '2', action_type: undefined }), ['menu_options[1].action_type']],
    [option({ digit: '2', action_type: 'RejectConfig' }), ['menu_options[1].action_type']],
    [option({ digit: '2', action_type: 5 }), ['menu_options[1].action_type']],
    [option({ digit: '2', employee_ids: [] }), ['menu_options[1].employee_ids']],
    [option({ digit: '2', employee_ids: undefined }), ['menu_options[1].employee_ids']],
    [option({ digit: '2', employee_ids: [STRANGER] }), ['menu_options[1].employee_ids[0]']],
    [option({ digit: '2', action_type: 'WelcomeTransferConfig' }), ['menu_options[1].prompt']],
    [{ digit: '2', action_type: 'WelcomeTransferConfig' }, ['menu_options[1].prompt', 'menu_options[1].employee_ids']],
    [{ digit: '2', action_type: 'VoicemailConfig' }, ['menu_options[1].prompt']],
    [{ digit: '2', action_type: 'VoicemailConfig', prompt: ' ' }, ['menu_options[1].prompt']],
    [{ digit: '2', action_type: 'PlayMessageConfig', prompt: null }, ['menu_options[1].prompt']],
    [{ digit: '2', action_type: 'PlayMessageConfig', prompt: 7 }, ['menu_options[1].prompt']],
  ])('refuses the menu option %j', (wrong, paths) => {
    expect(Object.keys(fieldsOf(change(slot, menu(option(), wrong))))).toEqual(paths);
  });

  it('names every wrong field at once, of the wrong kind and of the wrong company alike', () => {
    const body = {
      ...menu(option({ employee_ids: [STRANGER] }), option(), { digit: '0', action_type: 'VoicemailConfig' }),
      welcome: '',
    };
    expect(fieldsOf(change(slot, body))).toEqual({
      welcome: ['must not be blank'],
      'menu_options[1].digit': ['has already been taken'],
      'menu_options[2].digit': ['must be a single key, 1 to 9'],
      'menu_options[2].prompt': ['is required'],
      'menu_options[0].employee_ids[0]': ['is not an employee of the company'],
    });
  });
});

describe('a menu', () => {
  it('numbers its options, and an option keeps its number for as long as its key is there', () => {
    const first = accepted(change('incoming_call_config', menu(option({ digit: '4' }), option({ digit: '7' }))));
    const second = accepted(
      change('incoming_call_config', menu(option({ digit: '7' }), option({ digit: '5' })), first),
    );
    const ids = (number: BusinessNumber) =>
      number.incomingCallConfig.type === 'PhoneMenuConfig'
        ? number.incomingCallConfig.menuOptions.map(({ digit, id }) => [digit, id])
        : [];
    expect(ids(first)).toEqual([['4', 1], ['7', 2]]); // prettier-ignore
    expect(ids(second)).toEqual([['7', 2], ['5', 3]]); // prettier-ignore
  });

  it('keeps of an option only what its action uses', () => {
    const state = accepted(
      change(
        'incoming_call_config',
        menu(option({ prompt: 'unused' }), {
          digit: '2',
          action_type: 'VoicemailConfig',
          prompt: 'P',
          employee_ids: 5,
        }),
      ),
    );
    expect(state.incomingCallConfig).toMatchObject({
      menuOptions: [
        { prompt: null, employeeIds: ['emp_a'] },
        { prompt: 'P', employeeIds: [] },
      ],
    });
  });
});

describe('clearing a slot', () => {
  it('is not for incoming_call_config', () => {
    expect(fieldsOf(change('incoming_call_config', { type: null }))).toEqual({ type: ['cannot be cleared'] });
  });

  it('empties outside_business_hours_config and still takes the business hours', () => {
    const body = { type: null, business_hours: [{ day_of_week: 5, open: true }] };
    const state = accepted(change('outside_business_hours_config', body));
    expect(state.outsideBusinessHoursConfig).toBeNull();
    expect(state.businessHours[5]).toEqual({ dayOfWeek: 5, open: true, openingAt: '09:00', closingAt: '17:00' });
  });

  it('empties no_answer_config and turns its timer off', () => {
    const armed = accepted(change('no_answer_config', { ...right['RejectConfig'], timeout_secs: 30 }));
    expect(armed.noAnswerTimeoutSecs).toBe(30);
    const state = accepted(change('no_answer_config', { type: null }, armed));
    expect([state.noAnswerConfig, state.noAnswerTimeoutSecs]).toEqual([null, null]);
  });
});

describe('timeout_secs', () => {
  const armed = aNumber({ noAnswerConfig: { type: 'RejectConfig', message: 'Sorry' }, noAnswerTimeoutSecs: 60 });
  const set = (timeout_secs: unknown) =>
    change(
      'no_answer_config',
      { ...right['RejectConfig'], ...(timeout_secs !== undefined && { timeout_secs }) },
      armed,
    );

  it.each([15, 30, 60, 300, 600, 1200, 1800, 2700, 3600])('arms the timer with %i', (secs) => {
    expect(accepted(set(secs)).noAnswerTimeoutSecs).toBe(secs);
  });

  it.each([0, null, '', '   '])('turns the timer off with %j and keeps the flow', (off) => {
    const state = accepted(set(off));
    expect([state.noAnswerTimeoutSecs, state.noAnswerConfig?.type]).toEqual([null, 'RejectConfig']);
  });

  it('leaves the timer as it is when it is not sent', () => {
    expect(accepted(set(undefined)).noAnswerTimeoutSecs).toBe(60);
  });

  it.each([10, 20, 45, 61, 3601, -15, 15.5, '30', '0', 'x', true, false, [], [30], {}])('refuses %j', (wrong) => {
    expect(Object.keys(fieldsOf(set(wrong)))).toEqual(['timeout_secs']);
  });

  it('is nothing to the other slots', () => {
    expect(accepted(change('incoming_call_config', { ...right['RejectConfig'], timeout_secs: 7 })).noAnswerConfig).toBe(
      null,
    );
  });

  it('that is wrong keeps the whole config out', () => {
    expect(Object.keys(fieldsOf(change('no_answer_config', { type: 'RejectConfig', timeout_secs: 7 })))).toEqual([
      'message',
      'timeout_secs',
    ]);
  });
});

describe('a change of routing', () => {
  it('is one event with the whole number, and none when nothing changes', () => {
    const body = right['VoicemailConfig'] ?? {};
    const decision = change('incoming_call_config', body);
    const state = accepted(decision);
    expect(decision).toMatchObject({ events: [{ type: 'numbers-routing.number.updated', number: state }] });
    expect(change('incoming_call_config', body, state)).toEqual(decided(state));
  });

  it('rings somebody named twice once', () => {
    const body = { type: 'TransferConfig', employee_ids: ['emp_a', 'emp_b', 'emp_a'] };
    expect(accepted(change('incoming_call_config', body)).incomingCallConfig).toEqual({
      type: 'TransferConfig',
      employeeIds: ['emp_a', 'emp_b'],
    });
  });

  it('keeps whom a number may ring, over all slots', () => {
    const outside = accepted(change('outside_business_hours_config', right['WelcomeTransferConfig'] ?? {}));
    expect(accepted(change('no_answer_config', menu(option({ employee_ids: ['emp_c'] })), outside)).targetIds).toEqual([
      'emp_owner',
      'emp_a',
      'emp_b',
      'emp_c',
    ]);
  });

  it('says whom a config names, also one that is wrong otherwise', () => {
    expect(employeesNamed(menu(option(), option({ digit: '0', employee_ids: ['emp_b', 5, 'emp_a'] })))).toEqual([
      'emp_a',
      'emp_b',
    ]);
    expect(employeesNamed({ ...right['RejectConfig'], employee_ids: ['emp_a'] })).toEqual([]);
    expect(employeesNamed({})).toEqual([]);
  });
});

describe('whatever a client sends', () => {
  const text = fc.oneof(fc.constantFrom('Hello', '', ' '), fc.jsonValue({ maxDepth: 1 }));
  const ids = fc.oneof(fc.array(fc.constantFrom('emp_a', 'emp_b', STRANGER)), fc.jsonValue({ maxDepth: 1 }));
  const anOption = fc.record(
    {
      digit: fc.oneof(fc.constantFrom('0', '1', '2', '9', '10'), fc.jsonValue({ maxDepth: 0 })),
      action_type: fc.constantFrom(
        'TransferConfig',
        'WelcomeTransferConfig',
        'VoicemailConfig',
        'PlayMessageConfig',
        'X',
        1,
      ),
      prompt: text,
      employee_ids: ids,
    },
    { requiredKeys: [] },
  );
  const body = fc.record(
    {
      type: fc.constantFrom(...Object.keys(right), null, 'X', 5),
      welcome: text,
      greeting: text,
      message: text,
      employee_ids: ids,
      menu_options: fc.oneof(fc.array(anOption, { maxLength: 4 }), fc.jsonValue({ maxDepth: 1 })),
      business_hours: fc.jsonValue({ maxDepth: 2 }),
      timeout_secs: fc.oneof(fc.constantFrom(15, 0, ''), fc.jsonValue({ maxDepth: 1 })),
    },
    { requiredKeys: [] },
  );

  it('is either refused with named fields or becomes a number that could be sent again', () => {
    let taken = 0;
    fc.assert(
      fc.property(fc.constantFrom(...ROUTING_SLOTS), body, (slot, written) => {
        const decision = change(slot, written);
        if (!decision.ok) return expect(Object.keys(decision.refusal.fields ?? {}).length).toBeGreaterThan(0);
        taken += 1;
        expect(decision.state.targetIds).not.toContain(STRANGER);
        expect(change(slot, written, decision.state)).toEqual(decided(decision.state));
      }),
      { numRuns: 3000 },
    );
    expect(taken).toBeGreaterThan(20);
  });
});
