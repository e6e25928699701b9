import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LocalStack, startLocalStack } from '../support/local-stack.ts';
import { processesOfService } from '../support/processes.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { type Employee, openPhoneCompany, type PhoneCompany } from './phone-company.ts';

let stack: LocalStack;
let world: PhoneCompany;
let ada: Employee;
let bob: Employee;
let number: string;

beforeAll(async () => {
  stack = await startLocalStack({ environment: { PARLEY_PROCESSES: 'separate' } });
  world = await openPhoneCompany(stack.local);
  [ada, bob] = [await world.hire('Ada', true), await world.hire('Bob', true)];
  number = await world.number({ type: 'TransferConfig', employee_ids: [ada.id] });
}, 180_000);
afterAll(() => stack?.stop());

/** Kills call-control as a power cut would; the launcher starts it again. */
const kill = () => {
  for (const pid of processesOfService(stack, 'call-control')) process.kill(pid, 'SIGKILL');
};
const eventually = (callId: string, state: string) =>
  waitUntil(async () => (await world.call(callId).catch(() => ({}))).state === state, {
    what: `call ${state}`,
    timeoutMs: 45_000,
  });

describe('kill -9 of call-control', () => {
  it('while a phone rings: the answer given meanwhile counts', async () => {
    const legId = await world.dial(number);
    const callId = await world.callOf(legId);
    await world.rings(ada);
    kill();
    await world.answer(ada);
    await eventually(callId, 'bridged');
    kill();
    await world.hangUp(legId);
    await eventually(callId, 'ended');
    expect(await world.events(callId, 'call.ended')).toEqual([
      'call.initiated',
      'call.queued',
      'call.answered',
      'call.ended',
    ]);
    await world.status(ada, 'available');
  }, 180_000);

  it('during a conversation and a transfer drops no call', async () => {
    const { legId, callId } = await world.talk(number, ada);
    kill();
    const id = await waitUntil(
      async () => {
        const reply = await ada.call('POST', `/calls/${callId}/transfers`, { employee_id: bob.id });
        return reply.status === 201 ? (reply.body.transfer.id as string) : undefined;
      },
      { what: 'a transfer', timeoutMs: 45_000 },
    );
    await world.rings(bob);
    kill();
    await world.answer(bob);
    await waitUntil(async () => (await ada.call('GET', '/calls/active')).body?.transfer?.state === 'consulting', {
      what: 'consulting',
      timeoutMs: 45_000,
    });
    await ada.call('POST', `/calls/${callId}/transfers/${id}/completion`);
    kill();
    await world.quiet(ada);
    await world.legState(legId, 'connected');
    await eventually(callId, 'bridged');
    await world.hangUp(legId);
    await eventually(callId, 'ended');
  }, 240_000);

  it('does not lose a call that arrives meanwhile', async () => {
    kill();
    const legId = await world.dial(number);
    const callId = await world.callOf(legId);
    await world.rings(ada);
    await world.hangUp(legId);
    await eventually(callId, 'ended');
  }, 120_000);
});
