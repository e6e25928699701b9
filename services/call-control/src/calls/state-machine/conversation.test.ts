import { describe, expect, it } from '@jest/globals';
import { ada, inbound, inConversation, transfer } from './test-call.ts';

describe('a conversation', () => {
  it('ends when the customer hangs up', () => {
    const test = inConversation();
    test.pass(61.5);
    test.apply({ type: 'recording_stopped', legId: 'leg-customer', recording: 'cal_1-1', durationMs: 61_000 });
    test.hangUp();
    expect(test.call).toMatchObject({ state: 'ended', durationSecs: 61, employees: [ada], activeFor: [] });
    expect(test.steps()).toMatchObject([{ do: 'hang_up', legId: test.adaLeg }]);
    expect(test.eventTypes).toEqual(['initiated', 'queued', 'answered', 'ended']);
    expect(test.commands.slice(-3).map(({ kind }) => kind)).toEqual([
      'end_conversation',
      'control',
      'upload_recording',
    ]);
  });

  it('ends when the employee hangs up', () => {
    const test = inConversation();
    test.hangUp(test.adaLeg);
    expect(test.steps()).toMatchObject([{ do: 'hang_up', legId: 'leg-customer' }]);
    expect(test.call.state).toBe('bridged');
    test.hangUp();
    expect(test.call.state).toBe('ended');
  });

  it('ends when the customer leg no longer exists', () => {
    const test = inConversation();
    test.hangUp(test.adaLeg);
    const order = test.commands.findLast(({ kind }) => kind === 'control')!;
    test.settle(order, { kind: 'control', failures: [{ step: 0, reason: '-ERR No such channel!', noSuchLeg: true }] });
    expect(test.call.state).toBe('ended');
  });

  it('is not recorded where recording is disabled', () => {
    const test = inbound(transfer(ada), { recording: false });
    test.answer(test.ring(ada));
    expect(test.call.recordings).toEqual([]);
  });

  it('is bridged again when the switch does not report it', () => {
    const test = inbound(transfer(ada));
    const leg = test.ring(ada);
    test.answer(leg);
    test.steps();
    test.pass(5);
    expect(test.steps()).toEqual([{ do: 'bridge', legId: 'leg-customer', peerId: leg }]);
  });

  it('ends exactly once when the switch restarts', () => {
    const test = inConversation();
    test.apply({ type: 'switch_restarted' });
    test.apply({ type: 'switch_restarted' });
    expect(test.eventTypes).toEqual(['initiated', 'queued', 'answered', 'ended']);
    expect(test.call.legs).toEqual([]);
  });
});
