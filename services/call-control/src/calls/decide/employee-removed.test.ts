import { describe, expect, it } from '@jest/globals';
import { ada, bob, inbound, inConversation, outbound, transfer } from '../../../test/test-call.ts';

const remove = (test: ReturnType<typeof inbound>, { id }: { id: string }) =>
  test.apply({ type: 'employee_removed', employeeId: id });

/** Ada transfers to Bob, whose phone rings. */
function transferring() {
  const test = inConversation();
  test.apply({ type: 'start_transfer', transferId: 'tra_1', actorId: ada.id, target: bob });
  const order = test.commands.findLast(({ kind }) => kind === 'control')!;
  test.settle(order, { kind: 'control', failures: [] });
  const bobLeg = test.ringPhone(bob.id);
  test.steps();
  return Object.assign(test, { bobLeg });
}

describe('an employee who was removed', () => {
  it('an employee who was removed leaves the conversation, which ends as if they had hung up', () => {
    const test = inConversation();
    remove(test, ada);
    expect(test.steps()).toEqual([{ do: 'hang_up', legId: test.adaLeg, cause: 'NORMAL_CLEARING' }]);
    test.hangUp(test.adaLeg);
    expect(test.steps()).toMatchObject([{ do: 'hang_up', legId: 'leg-customer' }]);
  });

  it('an employee who was removed stops being rung, and is not rung again; others are', () => {
    const test = inbound(transfer(ada, bob));
    const [adaLeg] = [test.ring(ada), test.ring(bob)];
    test.steps();
    remove(test, ada);
    expect(test.steps()).toMatchObject([{ do: 'hang_up', legId: adaLeg }]);
    expect(test.call).toMatchObject({ offeredTo: [bob.id], waitingFor: [bob.id] });
  });

  it('an employee who was removed is no target any more: controller and customer resume', () => {
    const test = transferring();
    remove(test, bob);
    expect(test.call.transfers).toMatchObject([{ state: 'cancelled' }]);
    expect(test.steps()).toMatchObject([
      { do: 'hang_up', legId: test.bobLeg },
      { do: 'bridge', legId: 'leg-customer', peerId: test.adaLeg },
    ]);
  });

  it('an employee who was removed leaves the customer to the target they were consulting', () => {
    const test = transferring();
    test.apply({ type: 'leg_answered', legId: test.bobLeg });
    test.steps();
    remove(test, ada);
    expect(test.call).toMatchObject({ transfers: [{ state: 'completed' }], phase: { employee: bob } });
    expect(test.steps()).toMatchObject([
      { do: 'hang_up', legId: test.adaLeg },
      { do: 'bridge', legId: 'leg-customer', peerId: test.bobLeg },
    ]);
  });

  it('an employee who was removed ends the transfer they started while the target rings', () => {
    const test = transferring();
    remove(test, ada);
    test.hangUp(test.adaLeg);
    expect(test.call.transfers).toMatchObject([{ state: 'failed' }]);
  });

  it('an employee who was removed does not call out any more', () => {
    const test = outbound();
    test.steps();
    remove(test, ada);
    expect(test.steps()).toMatchObject([{ do: 'hang_up', legId: 'leg-ada' }]);
  });

  it('an employee who was removed changes nothing in calls of others', () => {
    const test = inConversation();
    const before = test.call;
    remove(test, bob);
    expect(test.call).toBe(before);
  });
});
