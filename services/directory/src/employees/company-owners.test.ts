import { describe, expect, it } from '@jest/globals';
import { addMissingOwners, beginOwnerChange, endOwnerChange, listOwners } from './company-owners.ts';

const until = new Date('2026-01-05T09:00:30Z');
const two = listOwners('com_1', ['emp_1', 'emp_2']);
const stateOf = <State>(decision: { ok: true; state: State } | { ok: false }): State => {
  if (!decision.ok) throw new Error('refused');
  return decision.state;
};
const changing = stateOf(beginOwnerChange(two, 'emp_1', until));

describe('the owners of a company', () => {
  it('the owners of a company are never none: the last one who stays cannot stop', () => {
    expect(beginOwnerChange(listOwners('com_1', ['emp_1']), 'emp_1', until)).toMatchObject({
      refusal: { code: 'last_owner' },
    });
    expect(beginOwnerChange(changing, 'emp_2', until)).toMatchObject({ refusal: { code: 'last_owner' } });
  });

  it('the owners of a company number their changes', () => {
    expect(beginOwnerChange(two, 'emp_1', until)).toMatchObject({ outcome: 1 });
    expect(changing).toMatchObject({ ownerIds: ['emp_2'], changes: [{ employeeId: 'emp_1', sequence: 1 }] });
  });

  it('the owners of a company have one change of an employee at a time', () => {
    const more = stateOf(addMissingOwners(changing, ['emp_3'], 1));
    expect(beginOwnerChange(more, 'emp_1', until)).toMatchObject({ refusal: { code: 'conflict' } });
  });

  it('the owners of a company are without the employee when a change ends, and with the employee when it was withdrawn, once', () => {
    const change = { sequence: 1, employeeId: 'emp_1' };
    expect(stateOf(endOwnerChange(changing, change, false))).toMatchObject({ ownerIds: ['emp_2'], changes: [] });
    const kept = stateOf(endOwnerChange(changing, change, true));
    expect(kept).toMatchObject({ ownerIds: ['emp_2', 'emp_1'], changes: [] });
    expect(stateOf(endOwnerChange(kept, change, false))).toBe(kept);
  });

  it('the owners of a company are completed from records that are not older than the last change', () => {
    expect(stateOf(addMissingOwners(two, ['emp_1', 'emp_3'], 0)).ownerIds).toEqual(['emp_1', 'emp_2', 'emp_3']);
    expect(stateOf(addMissingOwners(changing, ['emp_1', 'emp_3'], 0))).toBe(changing);
    expect(stateOf(addMissingOwners(changing, ['emp_1', 'emp_3'], 1)).ownerIds).toEqual(['emp_2', 'emp_3']);
    // The records were read while the change was open, and it has ended since.
    const ended = stateOf(endOwnerChange(changing, { sequence: 1, employeeId: 'emp_1' }, false));
    expect(stateOf(addMissingOwners(ended, ['emp_1'], 1))).toBe(ended);
  });
});
