import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Company, createTestCompany, sharedStack, succeeded } from '../support/api.ts';
import { createNumber } from '../business-numbers/create-number.ts';
import { expectNoSlower, readTimesBeside } from '../support/read-times.ts';

/** About a megabyte each, as much as a body may have. */
const BODIES: Record<string, string> = {
  '500,000 zeros': `{"type":"TransferConfig","employee_ids":[${'0,'.repeat(500_000)}0]}`,
  '90,000 strings': `{"type":"TransferConfig","employee_ids":[${'"emp_12345",'.repeat(85_000)}"emp_1"]}`,
  '40,000 options': `{"type":"PhoneMenuConfig","welcome":"x","menu_options":[${'{"digit":"1","a":[]},'.repeat(40_000)}{}]}`,
  '50,000 entries of business hours': `{"type":null,"business_hours":[${'{"day_of_week":1},'.repeat(50_000)}{}]}`,
  '80,000 keys': `{"type":"RejectConfig",${Array.from({ length: 80_000 }, (_, i) => `"k${i}":0`)}}`,
};
const READS = 20;
const SLOWER_MAX = 4;

const stack = sharedStack();
let attacker: Company;
let otherCompany: Company;
let paths: [method: string, path: string][];

beforeAll(async () => {
  attacker = await createTestCompany(stack);
  otherCompany = await createTestCompany(stack);
  const { body: number } = await createNumber(attacker);
  const { body: contact } = await succeeded(attacker.call('POST', '/contacts', { phone: '+4520304050' }));
  paths = [
    ['PUT', `/business_numbers/${number.id}/incoming_call_config`],
    ['PUT', `/business_numbers/${number.id}/outside_business_hours_config`],
    ['PATCH', `/contacts/${contact.id}`],
    ['POST', '/webhooks'],
  ];
});

describe('bodies made to keep the event loop busy', () => {
  it.each(Object.keys(BODIES))('bodies of %s that would keep the event loop busy are refused', async (name) => {
    for (const [method, path] of paths) {
      const reply = await attacker.call(method, path, BODIES[name], { 'Content-Type': 'application/json' });
      expect([path, reply.status, reply.body.code]).toEqual([path, 422, 'validation_failed']);
    }
  });

  it('bodies made to keep the event loop busy are refused when they are one long text', async () => {
    for (const [method, path] of paths.slice(0, 2)) {
      const reply = await attacker.call(method, path, { type: 'RejectConfig', message: 'x'.repeat(1_000_000) });
      expect([path, reply.status]).toEqual([path, 422]);
    }
  });

  it('bodies made to keep the event loop busy delay the reads of another company no more than harmless bodies of the same size', async () => {
    const harmless = () => timesBeside([JSON.stringify({ note: 'x'.repeat(1_000_000) })]);
    // Parsed and validated, each of them would take the whole gateway for a second or more.
    await expectNoSlower({ harmless, flood: () => timesBeside(Object.values(BODIES)) }, SLOWER_MAX);
  }, 240_000);
});

function timesBeside(bodies: readonly string[]) {
  const senders = paths.map(([method, path]) => async (turn: number) => {
    const body = bodies[turn % bodies.length];
    const reply = await attacker.call(method, path, body, { 'Content-Type': 'application/json' });
    expect(reply.status).toBe(422);
  });
  const read = async () => expect((await otherCompany.call('GET', '/company')).status).toBe(200);
  return readTimesBeside(senders, read, READS);
}
