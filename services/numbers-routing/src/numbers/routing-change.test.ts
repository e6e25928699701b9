import { describe, expect, it } from '@jest/globals';
import { decided } from '@parley/errors';
import { testNumber } from '../../test/test-number.ts';
import type { AssistantAnswer, CallFlow, CallFlowType, FallbackFlow, MenuOption } from '../call-flows/call-flow.ts';
import { flowIn, promptsOf, ROUTING_SLOTS, type BusinessNumber } from './business-number.ts';
import { changeRouting, type RoutingChange } from './routing-change.ts';

const now = new Date('2026-02-01T12:00:00Z');
const UNKNOWN = 'emp_unknown';
const UNKNOWN_ASSISTANT = 'ast_unknown';

const change = (requested: RoutingChange, current = testNumber()) =>
  changeRouting(current, requested, { employees: new Set([UNKNOWN]), assistants: new Set([UNKNOWN_ASSISTANT]) }, now);

const incoming = (flow: CallFlow, current?: BusinessNumber) => change({ slot: 'incoming_call_config', flow }, current);

function changeOf(slot: (typeof ROUTING_SLOTS)[number], flow: CallFlow): RoutingChange {
  switch (slot) {
    case 'incoming_call_config':
      return { slot, flow };
    case 'outside_business_hours_config':
      return { slot, flow, businessHours: [] };
    case 'no_answer_config':
      return { slot, flow, timeoutSecs: undefined };
  }
}

function fieldsOf(decision: ReturnType<typeof changeRouting>): Record<string, readonly string[]> {
  if (decision.ok) throw new Error('it was accepted');
  expect(decision.refusal.code).toBe('validation_failed');
  return { ...decision.refusal.fields };
}

function accepted(decision: ReturnType<typeof changeRouting>): BusinessNumber {
  if (!decision.ok) throw new Error(`it was refused: ${JSON.stringify(decision.refusal.fields)}`);
  return decision.state;
}

const option = (more: Partial<MenuOption> = {}): MenuOption => ({
  id: 0,
  digit: '1',
  actionType: 'TransferConfig',
  prompt: null,
  employeeIds: ['emp_a'],
  ...more,
});
const menu = (...menuOptions: MenuOption[]): CallFlow => ({
  type: 'PhoneMenuConfig',
  welcome: 'Press a key',
  menuOptions,
});
const reject: CallFlow = { type: 'RejectConfig', message: 'Sorry' };

const assistant = (fallback: FallbackFlow, assistantId = 'ast_a') => ({ assistantId, fallback });
const assistantOption = (answer: AssistantAnswer, digit: string) =>
  option({ digit, actionType: 'AssistantConfig', employeeIds: [], assistant: answer });

const flows: Record<CallFlowType, CallFlow> = {
  WelcomeTransferConfig: { type: 'WelcomeTransferConfig', welcome: 'Hello', employeeIds: ['emp_a', 'emp_b'] },
  TransferConfig: { type: 'TransferConfig', employeeIds: ['emp_a'] },
  RejectConfig: reject,
  VoicemailConfig: { type: 'VoicemailConfig', greeting: 'Speak' },
  PhoneMenuConfig: menu(
    option(),
    option({ digit: '2', actionType: 'PlayMessageConfig', prompt: 'Bye', employeeIds: [] }),
  ),
  ForwardConfig: { type: 'ForwardConfig', phoneNumber: '+4520304050', timeoutSecs: 30, confirm: true },
  AssistantConfig: { type: 'AssistantConfig', ...assistant({ type: 'VoicemailConfig', greeting: 'Speak' }) },
};

describe.each(ROUTING_SLOTS)('%s', (slot) => {
  it.each(Object.entries(flows))('a routing slot accepts a %s', (type, flow) => {
    const state = accepted(change(changeOf(slot, flow)));
    expect(flowIn(state, slot)).toMatchObject({ type });
    expect(state.updatedAt).toBe(now);
  });

  it('a routing slot names every wrong field at once', () => {
    const flow = menu(option({ employeeIds: [UNKNOWN] }), option({ employeeIds: ['emp_a', UNKNOWN, UNKNOWN] }));
    const notOurs = ['is not an employee of the company'];
    expect(fieldsOf(change(changeOf(slot, flow)))).toEqual({
      'menu_options[1].digit': ['has already been taken'],
      'menu_options[0].employee_ids[0]': notOurs,
      'menu_options[1].employee_ids[1]': notOurs,
      'menu_options[1].employee_ids[2]': notOurs,
    });
    expect(fieldsOf(change(changeOf(slot, { type: 'TransferConfig', employeeIds: ['emp_a', UNKNOWN] })))).toEqual({
      'employee_ids[1]': notOurs,
    });
    expect(fieldsOf(change(changeOf(slot, { type: 'TransferConfig', employeeIds: [] })))).toEqual({
      employee_ids: ['must have at least 1 item'],
    });
  });
});

describe('an assistant in a flow', () => {
  const transfer = (...employeeIds: string[]): FallbackFlow => ({ type: 'TransferConfig', employeeIds });
  const notOurs = ['is not an employee of the company'];
  const noAssistant = ['is not an assistant of the company'];

  it('an assistant in a flow is refused with its wrong fields, and those of its fallback, by path', () => {
    expect(
      fieldsOf(incoming({ type: 'AssistantConfig', ...assistant(transfer('emp_a', UNKNOWN), UNKNOWN_ASSISTANT) })),
    ).toEqual({
      assistant_id: noAssistant,
      'fallback.employee_ids[1]': notOurs,
    });
    const options = [
      option(),
      assistantOption(assistant(transfer(), UNKNOWN_ASSISTANT), '2'),
      assistantOption(assistant(transfer(UNKNOWN)), '3'),
    ];
    expect(fieldsOf(incoming(menu(...options)))).toEqual({
      'menu_options[1].assistant_id': noAssistant,
      'menu_options[1].fallback.employee_ids': ['must have at least 1 item'],
      'menu_options[2].fallback.employee_ids[0]': notOurs,
    });
  });

  it('an assistant in a flow makes the employees of its fallback call targets, each once', () => {
    const state = accepted(incoming({ type: 'AssistantConfig', ...assistant(transfer('emp_a', 'emp_b', 'emp_a')) }));
    expect(state.incomingCallConfig).toMatchObject({ fallback: { employeeIds: ['emp_a', 'emp_b'] } });
    expect([state.targetIds, state.assistantIds]).toEqual([['emp_a', 'emp_b'], ['ast_a']]);
  });

  it('an assistant in a flow adds the texts of its fallback to the prompts of the number', () => {
    const promptsIn = (flow: CallFlow) => promptsOf(accepted(incoming(flow))).map(({ text }) => text);
    const said = assistant({ type: 'WelcomeTransferConfig', welcome: 'One moment', employeeIds: ['emp_a'] });
    expect(promptsIn({ type: 'AssistantConfig', ...said })).toContain('One moment');
    expect(promptsIn(menu(option(), assistantOption(said, '2')))).toEqual(
      expect.arrayContaining(['Press a key', 'One moment']),
    );
  });

  it('an assistant in a flow adds a prompt for the key that an outside phone of its fallback must press', () => {
    const forward = (confirm: boolean): CallFlow => ({
      type: 'AssistantConfig',
      ...assistant({ type: 'ForwardConfig', phoneNumber: '+4520304050', timeoutSecs: 30, confirm }),
    });
    const added = (flow: CallFlow) => promptsOf(accepted(incoming(flow))).map(({ text }) => text);
    expect(added(forward(true))).toContain('Press 1 to accept a call for Support.');
    expect(added(forward(false))).not.toContain('Press 1 to accept a call for Support.');
  });

  it('an assistant in a flow is listed once for a number, however many slots and options have it', () => {
    const answer = assistant(transfer('emp_a'));
    const first = accepted(incoming(menu(assistantOption(answer, '1'), assistantOption(answer, '2'))));
    const both = accepted(change(changeOf('no_answer_config', { type: 'AssistantConfig', ...answer }), first));
    expect(both.assistantIds).toEqual(['ast_a']);
    const without = accepted(
      change({ slot: 'no_answer_config', flow: null, timeoutSecs: null }, accepted(incoming(reject, both))),
    );
    expect(without.assistantIds).toEqual([]);
  });
});

describe('a menu', () => {
  it('a menu assigns ids to its options, and an option keeps its id for as long as its key is there', () => {
    const first = accepted(incoming(menu(option({ digit: '4' }), option({ digit: '7' }))));
    const second = accepted(incoming(menu(option({ digit: '7' }), option({ digit: '5' })), first));
    const ids = (number: BusinessNumber) =>
      number.incomingCallConfig.type === 'PhoneMenuConfig'
        ? number.incomingCallConfig.menuOptions.map(({ digit, id }) => [digit, id])
        : [];
    expect(ids(first)).toEqual([['4', 1], ['7', 2]]); // prettier-ignore
    expect(ids(second)).toEqual([['7', 2], ['5', 3]]); // prettier-ignore
  });
});

describe('clearing a slot', () => {
  it('clearing a slot empties outside_business_hours_config and still changes the business hours', () => {
    const businessHours = [{ dayOfWeek: 5, open: true }];
    const state = accepted(change({ slot: 'outside_business_hours_config', flow: null, businessHours }));
    expect(state.outsideBusinessHoursConfig).toBeNull();
    expect(state.businessHours[5]).toEqual({ dayOfWeek: 5, open: true, openingAt: '09:00', closingAt: '17:00' });
  });

  it('clearing a slot empties no_answer_config and turns its timer off', () => {
    const armed = accepted(change({ slot: 'no_answer_config', flow: reject, timeoutSecs: 30 }));
    expect(armed.noAnswerTimeoutSecs).toBe(30);
    const state = accepted(change({ slot: 'no_answer_config', flow: null, timeoutSecs: 60 }, armed));
    expect([state.noAnswerConfig, state.noAnswerTimeoutSecs]).toEqual([null, null]);
  });
});

describe('the no-answer timer', () => {
  const armed = testNumber({ noAnswerConfig: reject, noAnswerTimeoutSecs: 60 });

  it.each([
    [15, 15],
    [null, null],
    [undefined, 60],
  ])('the no-answer timer set to %j becomes %j and keeps the flow', (timeoutSecs, stored) => {
    const state = accepted(change({ slot: 'no_answer_config', flow: reject, timeoutSecs }, armed));
    expect([state.noAnswerTimeoutSecs, state.noAnswerConfig]).toEqual([stored, reject]);
  });
});

describe('a change of routing', () => {
  it('a change of routing is one event that names what changed, and none when nothing changes', () => {
    const decision = incoming(flows.VoicemailConfig);
    const state = accepted(decision);
    expect(decision).toMatchObject({
      events: [
        {
          type: 'numbers-routing.number.updated',
          number: state,
          changedFields: ['incomingCallConfig', 'targetIds', 'promptKeys'],
        },
      ],
    });
    expect(incoming(flows.VoicemailConfig, state)).toEqual(decided(state));
  });

  it('a change of routing rings an employee once who is listed twice', () => {
    const flow: CallFlow = { type: 'TransferConfig', employeeIds: ['emp_a', 'emp_b', 'emp_a'] };
    expect(accepted(incoming(flow)).incomingCallConfig).toEqual({
      type: 'TransferConfig',
      employeeIds: ['emp_a', 'emp_b'],
    });
  });

  it('a change of routing keeps whom a number may ring, over all slots', () => {
    const outside = accepted(change(changeOf('outside_business_hours_config', flows.WelcomeTransferConfig)));
    const both = change(changeOf('no_answer_config', menu(option({ employeeIds: ['emp_c'] }))), outside);
    expect(accepted(both).targetIds).toEqual(['emp_owner', 'emp_a', 'emp_b', 'emp_c']);
  });
});
