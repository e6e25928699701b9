import { describe, expect, it } from '@jest/globals';
import { createEmployee, type Employee } from './employee.ts';
import { deactivateEmployee, isActive, numbersRingingNobody, reactivateEmployee } from './deactivation.ts';

const START = new Date('2026-01-05T09:00:00Z');
const LATER = new Date('2026-01-06T09:00:00Z');

function employee(fields: Partial<Employee> = {}): Employee {
  const details = { name: 'Emma', email: 'emma@example.com', phone: null, role: 'member', invited: false } as const;
  const decision = createEmployee({ id: 'emp_1', companyId: 'com_1' }, details, 'DK', START);
  if (!decision.ok) throw new Error(decision.refusal.message);
  return { ...decision.state, slot: 7, ...fields };
}
function stateOf(decision: ReturnType<typeof deactivateEmployee>): Employee {
  if (!decision.ok) throw new Error(decision.refusal.message);
  return decision.state;
}

describe('deactivating an employee', () => {
  it('deactivating an employee frees the slot, and has other services follow', () => {
    const decision = deactivateEmployee(employee(), LATER);
    expect(decision).toMatchObject({
      ok: true,
      state: { deactivatedAt: LATER, updatedAt: LATER, revision: 2 },
      events: [
        {
          type: 'directory.employee.updated',
          audit: { type: 'employee.deactivated', changes: { active: { from: true, to: false } } },
        },
      ],
      commands: [{ kind: 'refresh_copies' }, { kind: 'report_deactivation' }],
    });
    expect(stateOf(decision)).not.toHaveProperty('slot');
  });

  it('deactivating an employee again changes nothing, whoever they are', () => {
    for (const role of ['member', 'owner'] as const) {
      const known = employee({ role, deactivatedAt: START });
      expect(deactivateEmployee(known, LATER)).toMatchObject({ state: known, events: [], commands: [] });
    }
  });

  it('deactivating an owner needs an open change of ownership', () => {
    const owner = employee({ role: 'owner', ownerSequence: 3 });
    for (const sequence of [undefined, 3])
      expect(deactivateEmployee(owner, LATER, sequence)).toMatchObject({ refusal: { code: 'conflict' } });
    expect(stateOf(deactivateEmployee(owner, LATER, 4))).toMatchObject({ ownerSequence: 4, deactivatedAt: LATER });
  });
});

describe('reactivating an employee', () => {
  it('reactivating an employee gives them a slot', () => {
    const decision = reactivateEmployee(stateOf(deactivateEmployee(employee(), START)), 2, LATER);
    expect(decision).toMatchObject({
      state: { slot: 2, updatedAt: LATER, revision: 3 },
      events: [{ audit: { type: 'employee.reactivated', changes: { active: { from: false, to: true } } } }],
      commands: [{ kind: 'refresh_copies' }],
    });
    expect(isActive(stateOf(decision))).toBe(true);
  });

  it('reactivating an employee who is active changes nothing', () => {
    expect(reactivateEmployee(employee(), 2, LATER)).toMatchObject({ state: employee(), events: [], commands: [] });
  });
});

describe('the numbers that ring nobody', () => {
  it.each([
    ['one that rings the employee alone', ['emp_1'], true],
    ['one that rings another active employee', ['emp_1', 'emp_2'], false],
    ['one whose other employees are deactivated too', ['emp_1', 'emp_3'], true],
    ['one that names the employee elsewhere only', [], false],
  ])('the numbers that ring nobody: %s', (_case, incomingCallEmployeeIds, isOne) => {
    const number = { name: 'Main', incomingCallEmployeeIds };
    expect(numbersRingingNobody([number], 'emp_1', new Set(['emp_2']))).toEqual(isOne ? [number] : []);
  });
});
