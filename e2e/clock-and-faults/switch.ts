import { beforeAll, expect, it } from '@jest/globals';
import { createNumber } from '../business-numbers/create-number.ts';
import { clearFaults, type Company, createTestCompany, sandbox, succeeded } from '../support/api.ts';
import type { LocalStack } from '../support/local-stack.ts';
import { waitUntil } from '@parley/testkit/wait-until';

export function testSwitch(stack: LocalStack): void {
  let company: Company;
  let number: string;

  beforeAll(async () => {
    company = await createTestCompany(stack.local);
    const { body } = await createNumber(company, {}, stack.local);
    number = body.number;
    // Open at any hour: outside business hours the number does as within them.
    await succeeded(company.call('PUT', `/business_numbers/${body.id}/outside_business_hours_config`, { type: null }));
    await ask('PUT', `/phones/${company.owner.id}`, { online: true });
  });

  const ask = async (method: string, path: string, body?: unknown) =>
    (await succeeded(sandbox(stack.local, method, path, body))).body;
  const leg = (id: string) => ask('GET', `/legs/${id}`);
  const call = async (id: string) => (await company.call('GET', `/calls/${id}`)).body;

  /** A customer and the owner talk. */
  async function conversation(): Promise<{ customer: string; phone: string; callId: string }> {
    const { leg_id: customer } = await ask('POST', '/calls', { from: '+4520304050', to: number });
    const phone = await waitUntil(
      async () => {
        const { legs } = await ask('GET', `/phones/${company.owner.id}`);
        return legs.find(({ state }: { state: string }) => state === 'ringing')?.leg_id as string | undefined;
      },
      { what: 'the phone to ring' },
    );
    await ask('POST', `/phones/${company.owner.id}/answer`);
    await waitUntil(async () => (await leg(customer)).heard.at(-1)?.leg_id === phone, { what: 'the conversation' });
    return { customer, phone, callId: (await leg(customer)).call_id };
  }

  it('a switch that is unreachable does not end conversations, and events meanwhile are reconciled', async () => {
    const { customer, phone, callId } = await conversation();
    await ask('PUT', '/faults', { switch: 'down' });
    expect((await leg(customer)).state).toBe('connected');
    await ask('POST', `/legs/${customer}/hangup`);
    expect((await call(callId)).state).not.toBe('ended');
    await clearFaults(stack.local);
    await waitUntil(async () => (await call(callId)).state === 'ended', { what: 'the call to have ended' });
    await waitUntil(async () => (await leg(phone)).state === 'ended', { what: 'the phone to be free' });
  });

  it('a switch that is killed ends its calls, and the next one works', async () => {
    const { customer, callId } = await conversation();
    await ask('PUT', '/faults', { switch: 'killed' });
    expect(await leg(customer)).toMatchObject({ state: 'ended', hangup_cause: 'NETWORK_OUT_OF_ORDER' });
    // Without waiting for the switch.
    await waitUntil(async () => (await call(callId)).state === 'ended', { what: 'the call to have ended' });
    await ask('PUT', '/faults', { switch: 'up' });
    const next = await conversation();
    expect(next.callId).not.toBe(callId);
    await ask('POST', `/legs/${next.phone}/hangup`);
    await waitUntil(async () => (await leg(next.customer)).state === 'ended', { what: 'the customer leg to end' });
  });
}
