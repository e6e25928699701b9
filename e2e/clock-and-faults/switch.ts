import { beforeAll, expect, it } from '@jest/globals';
import { createNumber } from '../business-numbers/create-number.ts';
import { clearFaults, type Company, createTestCompany, operate, sandbox, succeeded } from '../support/api.ts';
import type { LocalStack } from '../support/local-stack.ts';
import { waitUntil } from '@parley/testkit/wait-until';

export function testSwitch(stack: LocalStack): void {
  let company: Company;
  let number: string;
  let numberId: string;

  beforeAll(async () => {
    company = await createTestCompany(stack.local);
    const { body } = await createNumber(company, {}, stack.local);
    number = body.number;
    numberId = body.id;
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

  it('a switch that is drained takes no new calls but those to emergency numbers, and the present ones go on', async () => {
    const drain = (draining: unknown) => operate(stack.local, 'PATCH', '/switches/sandbox', { draining });
    const present = await conversation();
    const shown = { name: 'sandbox', reachable: true, open_calls: 1, employees: 1 };
    expect((await operate(stack.local, 'GET', '/switches')).body).toEqual({
      switches: [{ ...shown, draining: false }],
    });
    expect(await drain(true)).toMatchObject({ status: 200, body: { ...shown, draining: true } });
    /** Somebody calls, and hangs up if the call is taken. */
    const attempt = async () => {
      const { leg_id: id } = await ask('POST', '/calls', { from: '+4520304051', to: number });
      const what = 'the call to be taken or refused';
      const seen = await waitUntil(async () => [await leg(id)].find(({ state }) => state !== 'calling'), { what });
      if (seen.state !== 'ended') await ask('POST', `/legs/${id}/hangup`);
      return seen;
    };
    const what = 'the order to be known';
    await waitUntil(async () => (await attempt()).hangup_cause === 'NORMAL_TEMPORARY_FAILURE', { what });
    expect((await leg(present.customer)).state).toBe('connected');
    const dial = { business_number_id: numberId, to: '112' };
    const { leg_id: emergency } = await ask('POST', `/phones/${company.owner.id}/dial`, dial);
    await waitUntil(async () => (await ask('GET', '/subscribers/112/legs')).length > 0, { what: 'an emergency call' });
    await ask('POST', `/legs/${emergency}/hangup`);
    const { leg_id: ordinary } = await ask('POST', `/phones/${company.owner.id}/dial`, { ...dial, to: '+4520304052' });
    await waitUntil(async () => (await leg(ordinary)).hangup_cause === 'NORMAL_TEMPORARY_FAILURE', {
      what: 'an ordinary call to be refused',
    });
    await ask('POST', `/legs/${present.customer}/hangup`);
    const requested = { business_number_id: numberId, to: '+4520304052' };
    await waitUntil(async () => (await company.call('POST', '/calls', requested)).body.error === 'esl_unreachable', {
      what: 'a requested call to be refused',
    });
    expect((await drain('yes')).status).toBe(422);
    expect((await operate(stack.local, 'PATCH', '/switches/unknown', { draining: true })).status).toBe(404);
    expect((await drain(false)).body.draining).toBe(false);
    await waitUntil(async () => (await attempt()).state !== 'ended', { what: 'calls to be taken again' });
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
