import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Company, createTestCompany } from '../support/api.ts';
import { createNumber } from './create-number.ts';

let company: Company;
let other: Company;
let path: string;

beforeAll(async () => {
  [company, other] = await Promise.all([createTestCompany(), createTestCompany()]);
  path = `/business_numbers/${(await createNumber(company)).body.id}`;
});

const times = <T>(length: number, item: T) => Array.from({ length }, () => item);

const bodies: readonly [string, object][] = [
  ['500,000 zeros', { type: 'TransferConfig', employee_ids: times(500_000, 0) }],
  ['90,000 strings', { type: 'TransferConfig', employee_ids: times(90_000, 'emp_aaaa') }],
  ['40,000 options', { type: 'PhoneMenuConfig', welcome: 'W', menu_options: times(40_000, { digit: '1' }) }],
  ['a text of a million characters', { type: 'RejectConfig', message: 'x'.repeat(1_000_000) }],
  ['40,000 entries of business hours', { type: null, business_hours: times(40_000, { day_of_week: 1 }) }],
  ['80,000 keys', Object.fromEntries(Array.from({ length: 80_000 }, (_, index) => [`k${index}`, 0]))],
];

describe('a routing body with', () => {
  it.each(bodies)('%s is refused immediately, without delaying other requests', async (_, body) => {
    const started = performance.now();
    const refusals = times(5, 0).map(() => company.call('PUT', `${path}/outside_business_hours_config`, body));
    const reads = times(5, 0).map(async () => {
      const began = performance.now();
      expect((await other.call('GET', '/company')).status).toBe(200);
      return performance.now() - began;
    });
    for (const { status } of await Promise.all(refusals)) expect(status).toBe(422);
    // Seconds each before every list was bounded; the rest is for a busy machine.
    expect(performance.now() - started).toBeLessThan(5000);
    expect(Math.max(...(await Promise.all(reads)))).toBeLessThan(3000);
  });
});
