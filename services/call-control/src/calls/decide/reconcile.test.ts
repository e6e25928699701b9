import { describe, expect, it } from '@jest/globals';
import { ada, inbound, inConversation, outbound, prompt, transfer } from '../../../test/test-call.ts';

describe('reconciliation after a lost connection', () => {
  const snapshot = (legId: string, application: string, more = {}) => ({
    legId,
    application,
    applicationData: '',
    isAnswered: true,
    memberId: null,
    ...more,
  });

  it('reconciliation after a lost connection changes nothing when nothing happened', () => {
    const test = inConversation();
    const before = test.call;
    test.reconcile([
      snapshot('leg-customer', 'uuid_bridge', { applicationData: test.adaLeg }),
      snapshot(test.adaLeg, 'uuid_bridge'),
    ]);
    expect(test.call.state).toBe('bridged');
    expect(test.call.legs.map(({ id }) => id)).toEqual(before.legs.map(({ id }) => id));
  });

  it('reconciliation after a lost connection may find the answer', () => {
    const test = inbound(transfer(ada));
    const leg = test.ring(ada);
    test.reconcile([snapshot('leg-customer', 'playback'), snapshot(leg, 'park')]);
    expect(test.call).toMatchObject({ state: 'answered', phase: { kind: 'talking' } });
  });

  it('reconciliation after a lost connection may find the end of the prompt', () => {
    const test = inbound({ type: 'transfer', prompt: prompt('welcome'), employeeIds: [ada.id] });
    test.reconcile([snapshot('leg-customer', 'park')]);
    test.settle(test.commands.at(-1)!, { kind: 'check_audio', application: 'park' });
    expect(test.call.state).toBe('queued');
  });

  it('reconciliation after a lost connection leaves a prompt whose order to be played is executed later', () => {
    const test = inbound({ type: 'transfer', prompt: prompt('welcome'), employeeIds: [ada.id] });
    test.reconcile([snapshot('leg-customer', 'park')]);
    expect(test.call.phase.kind).toBe('prompt');
    test.settle(test.commands.at(-1)!, { kind: 'check_audio', application: 'playback' });
    expect(test.call.phase.kind).toBe('prompt');
  });

  it('reconciliation after a lost connection does not end a voicemail whose recording is started later, but one whose end was missed', () => {
    const test = inbound({ type: 'voicemail', prompt: null });
    test.finishPlayback();
    test.pass(5);
    for (const [application, phase] of [
      ['record', 'voicemail'],
      ['park', 'hanging_up'],
    ] as const) {
      test.reconcile([snapshot('leg-customer', 'park')]);
      expect(test.call.phase.kind).toBe('voicemail');
      test.settle(test.commands.at(-1)!, { kind: 'check_audio', application });
      expect(test.call.phase.kind).toBe(phase);
    }
  });

  it('reconciliation after a lost connection does not apply to the playback after the one that was asked about', () => {
    const test = inbound({ type: 'voicemail', prompt: prompt('greeting') });
    test.reconcile([snapshot('leg-customer', 'park')]);
    const check = test.commands.at(-1)!;
    test.finishPlayback();
    test.settle(check, { kind: 'check_audio', application: 'park' });
    expect(test.call.phase.kind).toBe('beep');
  });

  it('reconciliation after a lost connection asks again for the other side of an outbound call, which may have been created since', () => {
    const test = outbound();
    const dial = test.commands.findLast(({ kind }) => kind === 'dial')!;
    test.settle(dial, { kind: 'dial', refused: null });
    test.reconcile([snapshot('leg-ada', 'playback', { isAnswered: false })]);
    expect(test.call.phase.kind).toBe('dialing');
    expect(test.commands.at(-1)).toEqual({ kind: 'check_legs', legIds: [test.call.customerLegId] });
  });

  it('reconciliation after a lost connection does not end a leg that is about to be created', () => {
    const test = inbound(transfer(ada));
    test.apply({ type: 'offer', employee: ada });
    test.reconcile([snapshot('leg-customer', 'playback')]);
    expect(test.call.offeredTo).toEqual([ada.id]);
  });
});
