import { describe, expect, it } from '@jest/globals';
import { testNumber } from '../../test/test-number.ts';
import type { BusinessNumber } from '../numbers/business-number.ts';
import { addClosure, changeClosure, CLOSURES_MAX, removeClosure } from './closure-rpcs.ts';

const now = new Date('2026-02-01T12:00:00Z');
const easter = { id: 'clo_easter', name: 'Easter', from: '2026-04-02', to: '2026-04-06' };
const christmas = { id: 'clo_christmas', name: 'Christmas', from: '2026-12-24', to: '2027-01-02' };
type Decision = ReturnType<typeof addClosure>;

function accepted(decision: Decision): BusinessNumber {
  if (!decision.ok) throw new Error(`it was refused: ${JSON.stringify(decision.refusal)}`);
  return decision.state;
}
const refusalOf = (decision: Decision) => (decision.ok ? undefined : decision.refusal);
const fieldsOf = (decision: Decision) => Object.keys(refusalOf(decision)?.fields ?? {});

describe('closures', () => {
  it('closures are kept by their first day, and each change is an event that names them', () => {
    const one = accepted(addClosure(testNumber(), christmas, now));
    const decision = addClosure(one, easter, now);
    expect(accepted(decision).closures).toEqual([easter, christmas]);
    expect(decision).toMatchObject({ events: [{ changedFields: ['closures'] }] });
  });

  it('closures change by the given fields only', () => {
    const both = accepted(addClosure(accepted(addClosure(testNumber(), christmas, now)), easter, now));
    const moved = accepted(changeClosure(both, easter.id, { from: '2027-03-25', to: '2027-03-29' }, now));
    expect(moved.closures).toEqual([christmas, { ...easter, from: '2027-03-25', to: '2027-03-29' }]);
    expect(changeClosure(both, easter.id, {}, now)).toMatchObject({ ok: true, events: [] });
    expect(refusalOf(changeClosure(both, 'clo_other', {}, now))?.code).toBe('not_found');
  });

  it('closures can be removed once', () => {
    const one = accepted(addClosure(testNumber(), easter, now));
    const none = accepted(removeClosure(one, easter.id, now));
    expect(none.closures).toEqual([]);
    expect(refusalOf(removeClosure(none, easter.id, now))?.code).toBe('not_found');
  });

  it.each([
    ['a blank name', { name: ' ' }, ['name']],
    ['a long name', { name: 'x'.repeat(129) }, ['name']],
    ['a day that does not exist', { from: '2026-02-30' }, ['from']],
    ['another form of a date', { to: '2026-4-6' }, ['to']],
    ['a time', { to: '2026-04-06T00:00' }, ['to']],
    ['a far year', { to: '9999-01-01' }, ['to']],
    ['an end before the beginning', { to: '2026-04-01' }, ['to']],
    ['all of it', { name: '', from: '', to: '' }, ['name', 'from', 'to']],
  ])('closures are refused with %s', (_, change, fields) => {
    expect(fieldsOf(addClosure(testNumber(), { ...easter, ...change }, now))).toEqual(fields);
    const one = accepted(addClosure(testNumber(), easter, now));
    expect(fieldsOf(changeClosure(one, easter.id, change, now))).toEqual(fields);
  });

  it('closures are at most 200', () => {
    const closures = Array.from({ length: CLOSURES_MAX }, (_, index) => ({ ...easter, id: `clo_${index}` }));
    expect(refusalOf(addClosure(testNumber({ closures }), easter, now))?.code).toBe('limit_reached');
  });
});
