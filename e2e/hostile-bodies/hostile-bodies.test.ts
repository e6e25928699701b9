import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Company, createTestCompany, sharedStack, succeeded } from '../support/api.ts';
import { createNumber } from '../business-numbers/create-number.ts';

/** About a megabyte each, as much as a body may have. */
const BODIES: Record<string, string> = {
  '500,000 zeros': `{"type":"TransferConfig","employee_ids":[${'0,'.repeat(500_000)}0]}`,
  '90,000 strings': `{"type":"TransferConfig","employee_ids":[${'"emp_12345",'.repeat(85_000)}"emp_1"]}`,
  '40,000 options': `{"type":"PhoneMenuConfig","welcome":"x","menu_options":[${'{"digit":"1","a":[]},'.repeat(40_000)}{}]}`,
  '50,000 entries of business hours': `{"type":null,"business_hours":[${'{"day_of_week":1},'.repeat(50_000)}{}]}`,
  '80,000 keys': `{"type":"RejectConfig",${Array.from({ length: 80_000 }, (_, i) => `"k${i}":0`)}}`,
};
const READS = 20;
/** Whatever else the machine does delays some reads; what the bodies do delays those of every round. */
const ROUNDS = 4;

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
  it.each(Object.keys(BODIES))('of %s are refused', async (name) => {
    for (const [method, path] of paths) {
      const reply = await attacker.call(method, path, BODIES[name], { 'Content-Type': 'application/json' });
      expect([path, reply.status, reply.body.code]).toEqual([path, 422, 'validation_failed']);
    }
  });

  it('are refused when they are one long text', async () => {
    for (const [method, path] of paths.slice(0, 2)) {
      const reply = await attacker.call(method, path, { type: 'RejectConfig', message: 'x'.repeat(1_000_000) });
      expect([path, reply.status]).toEqual([path, 422]);
    }
  });

  it('delay the reads of another company no more than harmless bodies of the same size', async () => {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) {
      const harmless = await readTimesBeside([JSON.stringify({ note: 'x'.repeat(1_000_000) })]);
      const hostile = await readTimesBeside(Object.values(BODIES));
      // Parsed and validated, each of them would take the whole gateway for a second or more.
      if (hostile.median < harmless.median * 3 + 50 && hostile.worst < harmless.worst * 3 + 500) return;
      rounds.push({ harmless, hostile });
    }
    throw new Error(`reads are delayed in every round: ${JSON.stringify(rounds)}`);
  }, 240_000);
});

async function readTimesBeside(bodies: readonly string[]): Promise<{ median: number; worst: number }> {
  let running = true;
  const senders = paths.map(async ([method, path], sender) => {
    for (let turn = sender; running; turn++) {
      const body = bodies[turn % bodies.length];
      const reply = await attacker.call(method, path, body, { 'Content-Type': 'application/json' });
      expect(reply.status).toBe(422);
    }
  });
  const times: number[] = [];
  for (let i = 0; i < READS; i++) {
    const before = performance.now();
    expect((await otherCompany.call('GET', '/company')).status).toBe(200);
    times.push(performance.now() - before);
  }
  running = false;
  await Promise.all(senders);
  times.sort((a, b) => a - b);
  return { median: times[READS / 2] as number, worst: times.at(-1) as number };
}
