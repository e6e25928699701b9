import { describe, expect, it } from '@jest/globals';
import { responseAt, defaultPlan, hookPlanInput, planFrom } from './hook-plan.ts';

const plan = (input: unknown) => planFrom(hookPlanInput.parse(input));
const statuses = (input: unknown, count: number) =>
  Array.from({ length: count }, (_, index) => responseAt(plan(input), index).status);

describe('the answers of a webhook receiver', () => {
  it.each([
    { input: { responses: [500, 500, 200] }, given: [500, 500, 200, 200, 200] },
    { input: { responses: [204] }, given: [204, 204] },
    { input: { responses: [{ status: 302, headers: { location: '/elsewhere' } }, 200] }, given: [302, 200, 200] },
    { input: { responses: [] }, given: [200, 200] },
    { input: {}, given: [200, 200] },
  ])('a webhook receiver answers $given for $input: in order, the last one repeating', ({ input, given }) => {
    expect(statuses(input, given.length)).toEqual(given);
  });

  it('a webhook receiver answers an immediate 200 by default', () => {
    expect(defaultPlan.delayMs).toBe(0);
    expect(responseAt(defaultPlan, 7)).toEqual({ status: 200, headers: {}, body: '' });
  });

  it.each([
    { entry: { status: 503, headers: { 'Retry-After': 120 } }, headers: { 'Retry-After': '120' }, body: '' },
    { entry: { status: 400, body: 'no' }, headers: {}, body: 'no' },
    { entry: { status: 400, body: { a: [1] } }, headers: { 'content-type': 'application/json' }, body: '{"a":[1]}' },
    { entry: { body: 7, headers: { 'Content-Type': 'a/b' } }, headers: { 'Content-Type': 'a/b' }, body: '7' },
  ])('an answer of a webhook receiver carries the headers and the body of $entry', ({ entry, headers, body }) => {
    expect(responseAt(plan({ responses: [entry] }), 0)).toMatchObject({ headers, body });
  });

  it.each([
    { responses: [100] },
    { responses: [600] },
    { responses: ['200'] },
    { responses: 200 },
    { responses: [{ status: 200, headers: { 'bad name': 'x' } }] },
    { responses: [{ status: 200, headers: { location: 'a\r\nb: c' } }] },
    { responses: [{ status: 200, headers: { 'Content-Length': '5' } }] },
    { delay_ms: -1 },
    { delay_ms: 0.5 },
    { delay_ms: 600_001 },
  ])('an answer of a webhook receiver cannot be %j', (input) => {
    expect(hookPlanInput.safeParse(input).success).toBe(false);
  });
});
