import { describe, expect, it } from '@jest/globals';
import { ada, inbound, inConversation, prompt, transfer } from './test-call.ts';

describe('reconciliation after a lost connection', () => {
  const snapshot = (legId: string, application: string, more = {}) => ({
    legId,
    application,
    applicationData: '',
    isAnswered: true,
    memberId: null,
    ...more,
  });

  it('changes nothing when nothing happened', () => {
    const test = inConversation();
    const before = test.call;
    test.apply({
      type: 'reconciled',
      legs: [
        snapshot('leg-customer', 'uuid_bridge', { applicationData: test.adaLeg }),
        snapshot(test.adaLeg, 'uuid_bridge'),
      ],
    });
    expect(test.call.state).toBe('bridged');
    expect(test.call.legs.map(({ id }) => id)).toEqual(before.legs.map(({ id }) => id));
  });

  it('may be the answer', () => {
    const test = inbound(transfer(ada));
    const leg = test.ring(ada);
    test.apply({ type: 'reconciled', legs: [snapshot('leg-customer', 'playback'), snapshot(leg, 'park')] });
    expect(test.call).toMatchObject({ state: 'answered', phase: { kind: 'talking' } });
  });

  it('may be the end of the prompt', () => {
    const test = inbound({ type: 'transfer', prompt: prompt('welcome'), employeeIds: [ada.id] });
    test.apply({ type: 'reconciled', legs: [snapshot('leg-customer', 'park')] });
    expect(test.call.state).toBe('queued');
  });

  it('does not end a leg that is about to be created', () => {
    const test = inbound(transfer(ada));
    test.apply({ type: 'offer', employee: ada });
    test.apply({ type: 'reconciled', legs: [snapshot('leg-customer', 'playback')] });
    expect(test.call.offeredTo).toEqual([ada.id]);
  });
});
