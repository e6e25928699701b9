import { describe, expect, it } from '@jest/globals';
import { validate } from '@parley/http';
import fc from 'fast-check';
import { z } from 'zod';
import { businessHoursBody } from './business-hours-body.ts';
import { callFlowBody, callFlowMessage, clearableCallFlowBody, clearableCallFlowMessage } from './call-flow-body.ts';
import { callTargetsIn } from './call-targets.ts';
import { noAnswerTimeoutBody, noAnswerTimerMessage } from './no-answer-timeout-body.ts';
import { routeProposalBody } from './route-proposal-body.ts';

type Body = Readonly<Record<string, unknown>>;

const outside = clearableCallFlowBody.and(z.object({ business_hours: businessHoursBody.optional() }));
const noAnswer = clearableCallFlowBody.and(z.object({ timeout_secs: noAnswerTimeoutBody.optional() }));

function fieldsOf(schema: z.ZodType, body: unknown): Readonly<Record<string, readonly string[]>> {
  const validated = validate(schema, body);
  return 'fields' in validated ? validated.fields : {};
}
const pathsOf = (schema: z.ZodType, body: unknown) => Object.keys(fieldsOf(schema, body)).sort();

const option = (more: Body = {}) => ({ digit: '1', action_type: 'TransferConfig', employee_ids: ['emp_a'], ...more });
const menu = (...options: unknown[]) => ({ type: 'PhoneMenuConfig', welcome: 'Press a key', menu_options: options });

const right: Record<string, Body> = {
  WelcomeTransferConfig: { type: 'WelcomeTransferConfig', welcome: 'Hello', employee_ids: ['emp_a', 'emp_b'] },
  TransferConfig: { type: 'TransferConfig', employee_ids: ['emp_a'] },
  RejectConfig: { type: 'RejectConfig', message: 'Sorry' },
  VoicemailConfig: { type: 'VoicemailConfig', greeting: 'Speak' },
  PhoneMenuConfig: menu(option(), { digit: '2', action_type: 'PlayMessageConfig', prompt: 'Bye' }),
  ForwardConfig: { type: 'ForwardConfig', phone_number: '20 30 40 50', timeout_secs: 30, confirm: true },
  AssistantConfig: {
    type: 'AssistantConfig',
    assistant_id: 'ast_a',
    fallback: { type: 'WelcomeTransferConfig', welcome: 'One moment', employee_ids: ['emp_a'] },
  },
};
const assistant = (fallback: unknown) => ({ ...right['AssistantConfig'], fallback });
const FALLBACKS = ['TransferConfig', 'WelcomeTransferConfig', 'VoicemailConfig', 'RejectConfig', 'ForwardConfig'];

const wrongTexts = [
  undefined,
  null,
  '',
  '  \n',
  5,
  true,
  ['x'],
  { text: 'x' },
  'x'.repeat(10_001),
  '\u{1F44B}'.repeat(10_001),
];
const wrongEmployees: [unknown, string][] = [
  [undefined, 'employee_ids'],
  [null, 'employee_ids'],
  [[], 'employee_ids'],
  ['emp_a', 'employee_ids'],
  [{}, 'employee_ids'],
  [[5], 'employee_ids[0]'],
  [['emp_a', null], 'employee_ids[1]'],
  [['emp_a', 'x'.repeat(65)], 'employee_ids[1]'],
  [Array.from({ length: 1001 }, () => 'emp_a'), 'employee_ids'],
];

describe.each<[string, z.ZodType]>([
  ['incoming_call_config', callFlowBody],
  ['outside_business_hours_config', outside],
  ['no_answer_config', noAnswer],
])('the body of %s', (slot, schema) => {
  it.each(Object.entries(right))('a call flow may be a %s', (_, body) => {
    expect(fieldsOf(schema, body)).toEqual({});
  });

  it.each([
    ['WelcomeTransferConfig', 'welcome'],
    ['RejectConfig', 'message'],
    ['VoicemailConfig', 'greeting'],
    ['PhoneMenuConfig', 'welcome'],
  ])('a call flow is refused as a %s whose %s is missing, blank, too long or not a string', (type, field) => {
    for (const wrong of wrongTexts) expect(pathsOf(schema, { ...right[type], [field]: wrong })).toEqual([field]);
    // Characters count, not UTF-16 units.
    expect(pathsOf(schema, { ...right[type], [field]: '\u{1F44B}'.repeat(10_000) })).toEqual([]);
  });

  it('a call flow is refused as a ForwardConfig with a wrong field, and asks for the key unless it says otherwise', () => {
    const { confirm: _, ...rest } = right['ForwardConfig']!;
    expect(validate(schema, rest)).toEqual({ value: right['ForwardConfig'] });
    for (const wrong of [undefined, null, 5, {}, 'x'.repeat(41)])
      expect(pathsOf(schema, { ...rest, phone_number: wrong })).toEqual(['phone_number']);
    for (const wrong of [null, 'yes', 1]) expect(pathsOf(schema, { ...rest, confirm: wrong })).toEqual(['confirm']);
    const forward = option({ ...rest, action_type: 'ForwardConfig', timeout_secs: 4 });
    expect(pathsOf(schema, menu(forward))).toEqual(['menu_options[0].timeout_secs']);
  });

  it.each(FALLBACKS)('a call flow may have an assistant answer whose fallback is a %s', (type) => {
    expect(validate(schema, assistant(right[type]))).toEqual({ value: assistant(right[type]) });
    const option = { digit: '2', action_type: 'AssistantConfig', assistant_id: 'ast_a', fallback: right[type] };
    expect(validate(schema, menu(option))).toEqual({ value: menu(option) });
  });

  it.each<[string, unknown, string]>([
    ['no fallback', undefined, 'fallback'],
    ['a fallback that is null', null, 'fallback'],
    ['a fallback that is a text', 'TransferConfig', 'fallback'],
    ['a fallback without a type', { employee_ids: ['emp_a'] }, 'fallback.type'],
    ['a fallback of no type', { type: null }, 'fallback.type'],
    ['a menu as its fallback', right['PhoneMenuConfig'], 'fallback.type'],
    ['another assistant as its fallback', right['AssistantConfig'], 'fallback.type'],
    ['an unknown type as its fallback', { type: 'PlayMessageConfig', prompt: 'Bye' }, 'fallback.type'],
    ['nobody to ring in its fallback', { type: 'TransferConfig', employee_ids: [] }, 'fallback.employee_ids'],
    ['no text in its fallback', { type: 'VoicemailConfig' }, 'fallback.greeting'],
    ['a blank text in its fallback', { type: 'RejectConfig', message: ' ' }, 'fallback.message'],
    [
      'a wrong timeout in its fallback',
      { type: 'ForwardConfig', phone_number: '20304050', timeout_secs: 4 },
      'fallback.timeout_secs',
    ],
  ])('a call flow is refused as an assistant with %s', (_, fallback, path) => {
    expect(pathsOf(schema, assistant(fallback))).toEqual([path]);
    const option = { digit: '2', action_type: 'AssistantConfig', assistant_id: 'ast_a', fallback };
    expect(pathsOf(schema, menu({ digit: '1', action_type: 'PlayMessageConfig', prompt: 'x' }, option))).toEqual([
      `menu_options[1].${path}`,
    ]);
  });

  it('a call flow is refused as an assistant without an id, in a menu as well', () => {
    for (const wrong of [undefined, null, 5, 'x'.repeat(65)]) {
      expect(pathsOf(schema, { ...right['AssistantConfig'], assistant_id: wrong })).toEqual(['assistant_id']);
      const option = { ...right['AssistantConfig'], digit: '1', action_type: 'AssistantConfig', assistant_id: wrong };
      expect(pathsOf(schema, menu(option))).toEqual(['menu_options[0].assistant_id']);
    }
  });

  it.each(['WelcomeTransferConfig', 'TransferConfig'])(
    'a call flow is refused as a %s with wrong employee_ids',
    (type) => {
      for (const [wrong, field] of wrongEmployees)
        expect(pathsOf(schema, { ...right[type], employee_ids: wrong })).toEqual([field]);
    },
  );

  it.each([undefined, '', 'transferConfig', 'PlayMessageConfig', 5, {}, ['TransferConfig']])(
    'a call flow is refused with the type %j',
    (type) => {
      expect(fieldsOf(schema, { ...right['TransferConfig'], type })).toEqual({
        type: [type === undefined ? 'is required' : expect.stringMatching(/^must be one of WelcomeTransferConfig, /)],
      });
    },
  );

  it('a call flow may hold anything in fields of other types', () => {
    const body = { ...right['RejectConfig'], welcome: 5, employee_ids: [7], menu_options: 'x', greeting: null };
    expect(validate(schema, body)).toEqual({ value: right['RejectConfig'] });
  });

  it.each([undefined, null, [], 'x', {}])('a call flow is refused as a menu with the options %j', (wrong) => {
    expect(pathsOf(schema, { ...menu(), menu_options: wrong })).toEqual(['menu_options']);
  });

  it.each([
    [5, ['menu_options[1]']],
    [null, ['menu_options[1]']],
    [[], ['menu_options[1]']],
    [{}, ['menu_options[1].action_type', 'menu_options[1].digit']],
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
    [option({ digit: '2', action_type: 'WelcomeTransferConfig' }), ['menu_options[1].prompt']],
    [{ digit: '2', action_type: 'WelcomeTransferConfig' }, ['menu_options[1].employee_ids', 'menu_options[1].prompt']],
    [{ digit: '2', action_type: 'VoicemailConfig' }, ['menu_options[1].prompt']],
    [{ digit: '2', action_type: 'VoicemailConfig', prompt: ' ' }, ['menu_options[1].prompt']],
    [{ digit: '2', action_type: 'PlayMessageConfig', prompt: null }, ['menu_options[1].prompt']],
    [{ digit: '2', action_type: 'PlayMessageConfig', prompt: 7 }, ['menu_options[1].prompt']],
  ])('a call flow is refused with the menu option %j', (wrong, paths) => {
    expect(pathsOf(schema, menu(option(), wrong))).toEqual(paths);
  });

  it('a call flow is refused with every wrong field at once', () => {
    const body = {
      ...menu(option(), option(), { digit: '0', action_type: 'Dance' }, { digit: '3', action_type: 'VoicemailConfig' }),
      welcome: '',
    };
    expect(fieldsOf(schema, body)).toEqual({
      welcome: ['must not be blank'],
      'menu_options[1].digit': ['has already been taken'],
      'menu_options[2].digit': ['must be a single key, 1 to 9'],
      'menu_options[2].action_type': [expect.stringMatching(/^must be one of TransferConfig, /)],
      'menu_options[3].prompt': ['is required'],
    });
  });

  it.each([
    [
      '500,000 zeros',
      { type: 'TransferConfig', employee_ids: Array.from({ length: 500_000 }, () => 0) },
      'employee_ids',
    ],
    [
      '90,000 strings',
      { type: 'TransferConfig', employee_ids: Array.from({ length: 90_000 }, () => 'emp_aaaa') },
      'employee_ids',
    ],
    ['40,000 options', menu(...Array.from({ length: 40_000 }, () => ({}))), 'menu_options'],
    ['a text of a million characters', { type: 'RejectConfig', message: 'x'.repeat(1_000_000) }, 'message'],
  ])('a call flow is refused within 200 ms of CPU time with %s', (_, body, field) => {
    const before = process.threadCpuUsage();
    expect(pathsOf(schema, body)).toEqual([field]);
    expect(process.threadCpuUsage(before).user).toBeLessThan(200_000);
  });

  it('a call flow is read as it is beside 80,000 unknown keys', () => {
    const keys = Object.fromEntries(Array.from({ length: 80_000 }, (_, index) => [`key_${index}`, index]));
    expect(validate(schema, { ...keys, ...right['RejectConfig'] })).toEqual({ value: right['RejectConfig'] });
  });

  it('a call flow is either refused with named fields or becomes a message, whatever it is', () => {
    const text = fc.oneof(fc.constantFrom('Hello', '', ' '), fc.jsonValue({ maxDepth: 1 }));
    const ids = fc.oneof(fc.array(fc.constantFrom('emp_a', 'emp_b')), fc.jsonValue({ maxDepth: 1 }));
    const anOption = fc.record(
      {
        digit: fc.oneof(fc.constantFrom('0', '1', '2', '9', '10'), fc.jsonValue({ maxDepth: 0 })),
        action_type: fc.constantFrom('TransferConfig', 'WelcomeTransferConfig', 'AssistantConfig', 'X', 1),
        prompt: text,
        employee_ids: ids,
        assistant_id: text,
        fallback: fc.constantFrom(...Object.values(right), 5),
      },
      { requiredKeys: [] },
    );
    const body = fc.record(
      {
        type: fc.constantFrom(...Object.keys(right), 'X', 5),
        welcome: text,
        greeting: text,
        message: text,
        employee_ids: ids,
        assistant_id: text,
        fallback: fc.oneof(fc.constantFrom(...Object.values(right)), fc.jsonValue({ maxDepth: 1 })),
        menu_options: fc.oneof(fc.array(anOption, { maxLength: 4 }), fc.jsonValue({ maxDepth: 1 })),
      },
      { requiredKeys: [] },
    );
    let taken = 0;
    fc.assert(
      fc.property(body, (written) => {
        const validated = validate(schema, written);
        if ('fields' in validated) return expect(Object.keys(validated.fields).length).toBeGreaterThan(0);
        taken += 1;
        expect(
          clearableCallFlowMessage(validated.value as z.output<typeof clearableCallFlowBody>)?.config?.case,
        ).toBeDefined();
      }),
      { numRuns: 2000 },
    );
    expect(taken).toBeGreaterThan(10);
  });

  it('a call flow with a null type clears the slot unless calls would have nowhere to go', () => {
    expect(fieldsOf(schema, { type: null })).toEqual(
      slot === 'incoming_call_config' ? { type: ['cannot be cleared'] } : {},
    );
  });
});

describe('the message of a flow', () => {
  it('the message of a flow has of a menu option only what its action uses', () => {
    const body = menu(option({ prompt: 'unused' }), {
      digit: '2',
      action_type: 'VoicemailConfig',
      prompt: 'P',
      employee_ids: 5,
    });
    const validated = validate(callFlowBody, body);
    expect('value' in validated && callFlowMessage(validated.value)).toMatchObject({
      config: {
        case: 'phoneMenu',
        value: {
          menuOptions: [
            { digit: '1', employeeIds: ['emp_a'] },
            { digit: '2', prompt: { text: 'P' }, employeeIds: [] },
          ],
        },
      },
    });
  });
});

describe('timeout_secs', () => {
  const read = (timeout_secs: unknown) => validate(noAnswerTimeoutBody, timeout_secs);

  it.each([15, 30, 60, 300, 600, 1200, 1800, 2700, 3600])('timeout_secs of %i sets the timer', (timeoutSecs) => {
    expect(noAnswerTimerMessage(timeoutSecs as 15)).toEqual({ timeoutSecs });
    expect(read(timeoutSecs)).toEqual({ value: timeoutSecs });
  });

  it.each([0, null, '', '   '])('timeout_secs of %j turns the timer off', (off) => {
    expect(read(off)).toEqual({ value: off });
    expect(noAnswerTimerMessage(off as 0)).toEqual({});
  });

  it('timeout_secs that is left out leaves the timer as it is', () => {
    expect(noAnswerTimerMessage(undefined)).toBeUndefined();
  });

  it.each([10, 20, 45, 61, 3601, -15, 15.5, '30', '0', 'x', true, false, [], [30], {}])(
    'timeout_secs of %j is refused',
    (wrong) => {
      expect(pathsOf(noAnswer, { ...right['RejectConfig'], timeout_secs: wrong })).toEqual(['timeout_secs']);
      expect(pathsOf(noAnswer, { type: 'RejectConfig', timeout_secs: wrong })).toEqual(['message', 'timeout_secs']);
    },
  );
});

describe('business_hours', () => {
  const saturday = (more: object = {}) => ({
    day_of_week: 5,
    open: true,
    opening_at: '10:00',
    closing_at: '14:00',
    ...more,
  });
  const refused = (business_hours: unknown) => pathsOf(outside, { type: null, business_hours });

  it('business_hours may be a whole week, or one day with one field', () => {
    expect(refused(Array.from({ length: 7 }, (_, day_of_week) => saturday({ day_of_week })))).toEqual([]);
    expect(refused([{ day_of_week: 6 }])).toEqual([]);
    expect(refused([saturday({ closing_at: '24:00' })])).toEqual([]);
  });

  it.each([
    ['no list', 'x', ['business_hours']],
    ['null', null, ['business_hours']],
    ['an object', {}, ['business_hours']],
    ['an empty list', [], ['business_hours']],
    ['eight entries', Array.from({ length: 8 }, (_, day) => saturday({ day_of_week: day % 7 })), ['business_hours']],
    ['half a million entries', Array.from({ length: 500_000 }, () => 0), ['business_hours']],
    ['an entry that is none', [5], ['business_hours[0]']],
    ['an entry without a day', [{ open: true }], ['business_hours[0].day_of_week']],
    ['day 7', [saturday({ day_of_week: 7 })], ['business_hours[0].day_of_week']],
    ['day -1', [saturday({ day_of_week: -1 })], ['business_hours[0].day_of_week']],
    ['half a day', [saturday({ day_of_week: 1.5 })], ['business_hours[0].day_of_week']],
    ['a day as text', [saturday({ day_of_week: '1' })], ['business_hours[0].day_of_week']],
    ['a day twice', [saturday(), saturday()], ['business_hours[1].day_of_week']],
    ['open as text', [saturday({ open: 'true' })], ['business_hours[0].open']],
    ['an hour of one digit', [saturday({ opening_at: '9:00' })], ['business_hours[0].opening_at']],
    ['seconds', [saturday({ opening_at: '09:00:00' })], ['business_hours[0].opening_at']],
    ['opening at 24:00', [saturday({ opening_at: '24:00' })], ['business_hours[0].opening_at']],
    ['closing at 24:01', [saturday({ closing_at: '24:01' })], ['business_hours[0].closing_at']],
    ['minute 60', [saturday({ closing_at: '13:60' })], ['business_hours[0].closing_at']],
    ['a time that is a number', [saturday({ closing_at: 14 })], ['business_hours[0].closing_at']],
    ['a time that is null', [saturday({ opening_at: null })], ['business_hours[0].opening_at']],
    [
      'several wrong fields',
      [saturday({ opening_at: 'x', open: 1 }), { day_of_week: 9 }],
      ['business_hours[0].open', 'business_hours[0].opening_at', 'business_hours[1].day_of_week'],
    ],
  ])('business_hours is refused as %s', (_, written, paths) => {
    expect(refused(written)).toEqual(paths);
  });
});

describe('a proposed route', () => {
  it('a proposed route names wrong fields below their slot', () => {
    expect(
      pathsOf(routeProposalBody, {
        at: 'yesterday',
        incoming_call_config: null,
        no_answer_config: { type: 'TransferConfig', employee_ids: [] },
        outside_business_hours_config: null,
        no_answer_timeout_secs: 7,
        timezone: 5,
      }),
    ).toEqual(['at', 'incoming_call_config', 'no_answer_config.employee_ids', 'no_answer_timeout_secs', 'timezone']);
  });
});

describe('the call targets of a rejected flow', () => {
  it('the call targets of a rejected flow are found where they can be parsed', () => {
    expect(
      callTargetsIn(
        menu(option(), 5, option({ employee_ids: ['emp_b', 7, 'x'.repeat(65)] }), option({ employee_ids: 5 })),
      ),
    ).toEqual([
      { kind: 'employee', path: 'menu_options[0].employee_ids[0]', id: 'emp_a' },
      { kind: 'employee', path: 'menu_options[2].employee_ids[0]', id: 'emp_b' },
    ]);
    expect(callTargetsIn({ type: 'TransferConfig', employee_ids: ['emp_a'] }, 'slot.')).toEqual([
      { kind: 'employee', path: 'slot.employee_ids[0]', id: 'emp_a' },
    ]);
    const answer = { assistant_id: 'ast_a', fallback: { type: 'TransferConfig', employee_ids: [5, 'emp_a'] } };
    expect(callTargetsIn({ type: 'AssistantConfig', ...answer }, 'slot.')).toEqual([
      { kind: 'assistant', path: 'slot.assistant_id', id: 'ast_a' },
      { kind: 'employee', path: 'slot.fallback.employee_ids[1]', id: 'emp_a' },
    ]);
    expect(callTargetsIn(menu({ action_type: 'AssistantConfig', ...answer, assistant_id: 5 }))).toEqual([
      { kind: 'employee', path: 'menu_options[0].fallback.employee_ids[1]', id: 'emp_a' },
    ]);
    for (const none of [
      undefined,
      null,
      5,
      [],
      { type: 'RejectConfig', employee_ids: ['emp_a'] },
      { type: 'PhoneMenuConfig', menu_options: 'x' },
    ])
      expect(callTargetsIn(none)).toEqual([]);
  });
});
