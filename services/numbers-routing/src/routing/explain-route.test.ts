import { describe, expect, it } from '@jest/globals';
import { testNumber } from '../../test/test-number.ts';
import type { CallFlow, FallbackFlow, RoutingSlot } from '../call-flows/call-flow.ts';
import { collectProblems } from '../call-flows/problems.ts';
import { applyProposal, referencesProposed, type Proposal } from './explain-route.ts';

const nothing: Proposal = {
  flows: new Map(),
  businessHours: [],
  timezone: undefined,
  noAnswerTimeoutSecs: undefined,
};

const UNKNOWN = { employees: new Set(['emp_unknown']), assistants: new Set(['ast_unknown']) };

const transfer = (...employeeIds: string[]): FallbackFlow => ({ type: 'TransferConfig', employeeIds });

function propose(proposal: Partial<Proposal>) {
  const problems = collectProblems();
  const number = applyProposal(testNumber(), { ...nothing, ...proposal }, UNKNOWN, problems);
  return { number, paths: Object.keys(problems.fields()) };
}

describe('a proposal', () => {
  it('a proposal changes nothing when it is empty', () => {
    expect(propose({})).toEqual({ number: testNumber(), paths: [] });
  });

  it('a proposal replaces and clears slots, hours, timer and time zone', () => {
    const flows = new Map<RoutingSlot, CallFlow | null>([
      ['incoming_call_config', transfer('emp_a')],
      ['outside_business_hours_config', null],
    ]);
    const { number, paths } = propose({
      flows,
      businessHours: [{ dayOfWeek: 6, open: true }],
      timezone: 'america/new_york',
      noAnswerTimeoutSecs: 300,
    });
    expect(paths).toEqual([]);
    expect(number).toMatchObject({
      incomingCallConfig: { employeeIds: ['emp_a'] },
      outsideBusinessHoursConfig: null,
      noAnswerTimeoutSecs: 300,
      timezone: 'America/New_York',
    });
    expect(number.businessHours[6]?.open).toBe(true);
  });

  it('a proposal is refused with every wrong field named, those of a flow below its slot', () => {
    const flows = new Map([['incoming_call_config' as const, transfer('emp_unknown')]]);
    const { paths } = propose({ flows, timezone: 'Mars/Base', businessHours: [{ dayOfWeek: 0, openingAt: '18:00' }] });
    expect(paths).toEqual(['incoming_call_config.employee_ids[0]', 'business_hours[0].opening_at', 'timezone']);
  });

  it('a proposal lists its employees and assistants, each once', () => {
    const flows = new Map<RoutingSlot, CallFlow | null>([
      ['incoming_call_config', transfer('emp_a')],
      ['outside_business_hours_config', null],
      ['no_answer_config', { type: 'AssistantConfig', assistantId: 'ast_a', fallback: transfer('emp_a', 'emp_b') }],
    ]);
    expect(referencesProposed({ ...nothing, flows })).toEqual({
      employeeIds: ['emp_a', 'emp_b'],
      assistantIds: ['ast_a'],
    });
  });
});
