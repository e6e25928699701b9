import { beforeAll, expect, it } from '@jest/globals';
import type { LocalStack } from '../support/local-stack.ts';
import { processesOfService } from '../support/processes.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { type Employee, LIMIT_MS, openPhoneCompany, type PhoneCompany } from '../calls/phone-company.ts';

export function testCalls(stack: LocalStack): void {
  let fixture: PhoneCompany;
  let ada: Employee;
  let bob: Employee;
  let number: string;

  beforeAll(async () => {
    fixture = await openPhoneCompany(stack.local);
    [ada, bob] = [await fixture.hire('Ada', true), await fixture.hire('Bob', true)];
    number = await fixture.number({ type: 'TransferConfig', employee_ids: [ada.id] });
  }, 300_000);

  /** Kills call-control as a power cut would; the launcher starts it again. */
  const kill = () => {
    for (const pid of processesOfService(stack, 'call-control')) process.kill(pid, 'SIGKILL');
  };
  const eventually = (callId: string, state: string) =>
    waitUntil(async () => (await fixture.call(callId).catch(() => ({}))).state === state, {
      what: `call ${state}`,
      timeoutMs: LIMIT_MS,
    });

  it('a process that is killed while a phone rings does not lose the answer that is given meanwhile', async () => {
    const legId = await fixture.dial(number);
    const callId = await fixture.callOf(legId);
    await fixture.rings(ada);
    kill();
    await fixture.answer(ada);
    await eventually(callId, 'bridged');
    kill();
    await fixture.hangUp(legId);
    await eventually(callId, 'ended');
    expect(await fixture.events(callId, 'call.ended')).toEqual([
      'call.initiated',
      'call.queued',
      'call.answered',
      'call.ended',
    ]);
    await fixture.status(ada, 'available');
  }, 300_000);

  it('a process that is killed during a conversation and a transfer drops no call', async () => {
    const { legId, callId } = await fixture.talk(number, ada);
    kill();
    const id = await waitUntil(
      async () => {
        const reply = await ada.call('POST', `/calls/${callId}/transfers`, { employee_id: bob.id });
        return reply.status === 201 ? (reply.body.transfer.id as string) : undefined;
      },
      { what: 'a transfer', timeoutMs: LIMIT_MS },
    );
    await fixture.rings(bob);
    kill();
    await fixture.answer(bob);
    await waitUntil(async () => (await ada.call('GET', '/calls/active')).body?.transfer?.state === 'consulting', {
      what: 'consulting',
      timeoutMs: LIMIT_MS,
    });
    await ada.call('POST', `/calls/${callId}/transfers/${id}/completion`);
    kill();
    await fixture.waitUntilIdle(ada);
    await fixture.legState(legId, 'connected');
    await eventually(callId, 'bridged');
    await fixture.hangUp(legId);
    await eventually(callId, 'ended');
    await fixture.status(bob, 'available');
  }, 300_000);

  it('an answer in time to a transfer counts, also when the process was killed and the time has passed at the restart', async () => {
    const { legId, callId } = await fixture.talk(number, ada);
    const started = await ada.call('POST', `/calls/${callId}/transfers`, { employee_id: bob.id });
    expect(started.status).toBe(201);
    await fixture.rings(bob);
    kill();
    await fixture.answer(bob);
    await fixture.advance(31);
    const { body } = await waitUntil(
      async () => {
        const reply = await ada.call('GET', '/calls/active');
        return reply.status === 200 && reply.body.transfer?.state !== 'ringing' && reply;
      },
      { what: 'the outcome of the transfer', timeoutMs: LIMIT_MS },
    );
    expect(body.transfer?.state).toBe('consulting');
    await fixture.hangUp(legId);
    await eventually(callId, 'ended');
    await fixture.sandbox('DELETE', '/clock');
  }, 300_000);

  it('a killed process does not lose a call that arrives meanwhile', async () => {
    kill();
    const legId = await fixture.dial(number);
    const callId = await fixture.callOf(legId);
    await fixture.rings(ada);
    await fixture.hangUp(legId);
    await eventually(callId, 'ended');
  }, 300_000);
}
