import { describe, expect, it } from '@jest/globals';
import { ada, outbound } from '../../../test/test-call.ts';

describe('an outbound call', () => {
  const answered = () => {
    const test = outbound();
    const legId = test.call.customerLegId;
    test.settle(
      test.commands.findLast(({ kind }) => kind === 'dial')!,
      { kind: 'dial', refused: null },
    );
    test.answer(legId);
    return { test, legId };
  };

  it('an outbound call is answered by the other side, bridged and recorded there', () => {
    const { test, legId } = answered();
    expect(test.call).toMatchObject({ state: 'answered', initiatedBy: ada, employees: [ada], activeFor: [ada.id] });
    expect(test.steps().slice(3)).toEqual([
      { do: 'answer', legId: 'leg-ada' },
      { do: 'start_recording', legId, recording: 'cal_1-1' },
      { do: 'bridge', legId: 'leg-ada', peerId: legId },
    ]);
    test.apply({ type: 'leg_bridged', legId: 'leg-ada', peerId: legId });
    expect(test.call.state).toBe('bridged');
    test.hangUp(legId);
    expect(test.eventTypes).toEqual(['initiated', 'answered', 'ended']);
  });

  it.each([
    ['USER_BUSY', 'USER_BUSY'],
    ['NO_ANSWER', 'NO_ANSWER'],
    ['SUBSCRIBER_ABSENT', 'NORMAL_CLEARING'],
  ] as const)('an outbound call that fails with %s ends, and is not lost', (cause, hangupCause) => {
    const test = outbound(2);
    test.steps();
    test.hangUp(test.call.customerLegId, cause);
    expect(test.steps()).toEqual([{ do: 'hang_up', legId: 'leg-ada', cause: hangupCause }]);
    expect(test.call).toMatchObject({ state: 'ended', answeredAt: null });
    expect(test.eventTypes).toEqual(['initiated', 'ended']);
  });

  it('an outbound call tries the next carrier when the first cannot reach the network', () => {
    const test = outbound(2);
    test.apply({ type: 'originate_failed', legId: test.call.customerLegId, cause: 'NORMAL_TEMPORARY_FAILURE' });
    expect(test.commands.at(-1)).toMatchObject({ kind: 'dial', carrier: 1, legId: test.call.customerLegId });
    test.apply({ type: 'originate_failed', legId: test.call.customerLegId, cause: 'NORMAL_TEMPORARY_FAILURE' });
    expect(test.call.state).toBe('ended');
  });

  it('an outbound call that the employee cancels stops ringing', () => {
    const test = outbound();
    const legId = test.call.customerLegId;
    test.steps();
    test.hangUp('leg-ada');
    expect(test.steps()).toEqual([{ do: 'hang_up', legId, cause: 'ORIGINATOR_CANCEL' }]);
    test.hangUp(legId, 'ORIGINATOR_CANCEL');
    expect(test.eventTypes).toEqual(['initiated', 'ended']);
  });

  it('an outbound call ignores a failed job of an existing leg', () => {
    const { test, legId } = answered();
    test.apply({ type: 'originate_failed', legId, cause: 'ORIGINATOR_CANCEL' });
    expect(test.call.state).toBe('answered');
  });
});

it('a call to an emergency number is reported, with where the company is', () => {
  const test = outbound(1, { address: 'Acme, Main St 1, 8000 Aarhus, DK' });
  expect(test.events.map(({ type }) => type)).toEqual([
    'call-control.call.initiated',
    'call-control.emergency_call.placed',
  ]);
  expect(test.call.emergency).toEqual({ address: 'Acme, Main St 1, 8000 Aarhus, DK' });
  expect(outbound().events.map(({ type }) => type)).toEqual(['call-control.call.initiated']);
});
