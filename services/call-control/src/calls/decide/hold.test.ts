import { describe, expect, it } from '@jest/globals';
import { isRecordingPaused } from '../model/call.ts';
import { ada, bob, inbound, inConversation, transfer } from '../../../test/test-call.ts';

const on = { type: 'hold', actorId: ada.id, on: true } as const;
const off = { ...on, on: false };
const parked = (legId: string) => ({ type: 'leg_parked', legId, arrival: null }) as const;

/** A customer on hold. */
function held() {
  const test = inConversation();
  test.apply(on);
  test.apply(parked(test.adaLeg));
  test.apply(parked('leg-customer'));
  test.steps();
  return test;
}

describe('a call on hold', () => {
  it('a call on hold is parked, and the remote party hears the wait audio of the number', () => {
    const test = inConversation();
    expect(test.apply(on)).toBeUndefined();
    expect(test.steps()).toEqual([{ do: 'park', legId: 'leg-customer' }]);
    expect(test.call).toMatchObject({ state: 'bridged', hold: { isWanted: true, status: 'parking' } });
    test.apply(parked(test.adaLeg));
    expect(test.steps()).toEqual([]);
    test.apply(parked('leg-customer'));
    expect(test.steps()).toMatchObject([{ do: 'stop_audio' }, { do: 'play', audio: { kind: 'ringtone' } }]);
    expect(test.eventTypes.at(-1)).toBe('held');
  });

  it('a call on hold is connected again', () => {
    const test = held();
    expect(test.apply(off)).toBeUndefined();
    expect(test.steps()).toEqual([{ do: 'bridge', legId: 'leg-customer', peerId: test.adaLeg }]);
    test.bridged(test.adaLeg);
    expect(test.call).toMatchObject({ state: 'bridged', hold: null });
    expect(test.eventTypes.slice(-2)).toEqual(['held', 'resumed']);
    expect(test.what.filter((what) => what === 'held' || what === 'resumed')).toEqual(['held', 'resumed']);
  });

  it('a call on hold stays so when that is requested again, without another event', () => {
    const test = held();
    expect(test.apply(on)).toBeUndefined();
    expect(test.steps()).toEqual([]);
    expect(test.eventTypes.filter((type) => type === 'held')).toHaveLength(1);
  });

  it('a call whose hold the switch refuses stays connected, and is parked when that is requested again', () => {
    const test = inConversation();
    test.apply(on);
    test.steps();
    const failures = [{ step: 0, reason: '-ERR', noSuchLeg: false }];
    test.settle(test.commands.at(-1)!, { kind: 'control', failures });
    expect(test.call).toMatchObject({ state: 'bridged', hold: null });
    expect(test.what.at(-1)).toBe('hold_refused');
    expect(test.eventTypes.slice(-2)).toEqual(['held', 'resumed']);
    test.apply(on);
    expect(test.steps()).toEqual([{ do: 'park', legId: 'leg-customer' }]);
  });

  it('a call on hold is connected only after the switch has reported both legs', () => {
    const test = inConversation();
    test.apply(on);
    test.apply(off);
    test.steps();
    test.apply(parked('leg-customer'));
    expect(test.steps()).toEqual([]);
    test.apply(parked(test.adaLeg));
    expect(test.steps()).toMatchObject([{ do: 'bridge' }]);
  });

  it('a call on hold is parked also when the conference of a cancelled transfer is reported after the connection that followed it', () => {
    const test = inConversation();
    const transferId = 'tra_1';
    test.apply({ type: 'start_transfer', transferId, actorId: ada.id, target: bob });
    const { room } = test.call.transfers.at(-1)!;
    test.apply({ type: 'cancel_transfer', transferId, actorId: ada.id });
    test.bridged(test.adaLeg);
    test.apply({ type: 'conference_joined', legId: test.adaLeg, room, memberId: '2' });
    test.steps();
    expect(test.apply(on)).toBeUndefined();
    expect(test.steps()).toMatchObject([{ do: 'bridge' }]);
    test.bridged(test.adaLeg);
    expect(test.steps()).toEqual([{ do: 'park', legId: 'leg-customer' }]);
  });

  it('a call on hold is parked again when hold was requested while it was being connected', () => {
    const test = held();
    test.apply(off);
    test.apply(on);
    expect(test.steps()).toMatchObject([{ do: 'bridge' }]);
    test.bridged(test.adaLeg);
    expect(test.steps()).toEqual([{ do: 'park', legId: 'leg-customer' }]);
  });

  it('a call on hold is connected by the timer when the report of the bridge is missed', () => {
    const test = held();
    test.apply(off);
    test.steps();
    test.pass(6);
    expect(test.steps()).toMatchObject([{ do: 'bridge' }]);
  });

  it('a call on hold ends when either side hangs up', () => {
    for (const leg of ['employee', 'customer'] as const) {
      const test = held();
      test.hangUp(leg === 'employee' ? test.adaLeg : 'leg-customer');
      if (leg === 'employee') test.hangUp();
      expect(test.call).toMatchObject({ state: 'ended', hold: null });
      expect(test.eventTypes.filter((type) => type === 'ended')).toHaveLength(1);
    }
  });

  it('a call on hold is taken over by a transfer, after which both are connected again', () => {
    const test = held();
    expect(test.apply({ type: 'start_transfer', transferId: 'tra_1', actorId: ada.id, target: bob })).toBeUndefined();
    expect(test.steps()).toMatchObject([
      { do: 'join_conference', legId: 'leg-customer' },
      { do: 'join_conference', legId: test.adaLeg },
    ]);
    expect(test.call.hold).toBeNull();
    expect(test.apply(on)).toBe('call_not_in_conversation');
    test.apply({ type: 'cancel_transfer', transferId: 'tra_1', actorId: ada.id });
    expect(test.steps()).toMatchObject([{ do: 'bridge', peerId: test.adaLeg }]);
    expect(test.eventTypes.slice(-2)).toEqual(['held', 'resumed']);
  });

  it('a call on hold keeps a returning phone waiting', () => {
    const test = held();
    test.hangUp(test.adaLeg, 'MEDIA_TIMEOUT');
    test.apply({ type: 'phone_returned', legId: 'leg-again', employeeId: ada.id });
    expect(test.steps().map(({ do: step }) => step)).toEqual(['take', 'answer']);
    test.apply(off);
    expect(test.steps()).toMatchObject([{ do: 'bridge', peerId: 'leg-again' }]);
  });

  it('a call on hold waits and is connected with the returned phone when the phone was missing as it was requested', () => {
    const test = inConversation();
    test.hangUp(test.adaLeg, 'MEDIA_TIMEOUT');
    test.apply(parked('leg-customer'));
    test.steps();
    expect(test.apply(on)).toBeUndefined();
    expect(test.call.hold).toEqual({ isWanted: true, status: 'parked' });
    expect(test.steps()).toMatchObject([{ do: 'stop_audio' }, { do: 'play', audio: { kind: 'ringtone' } }]);
    test.apply({ type: 'phone_returned', legId: 'leg-again', employeeId: ada.id });
    expect(test.steps().map(({ do: step }) => step)).toEqual(['take', 'answer']);
    test.apply(off);
    expect(test.steps()).toMatchObject([{ do: 'bridge', peerId: 'leg-again' }]);
    test.bridged('leg-again');
    expect(test.call).toMatchObject({ state: 'bridged', hold: null });
  });

  it('a call on hold waits when the phone is lost while it is being connected', () => {
    const test = held();
    test.apply(off);
    test.apply(on);
    test.steps();
    test.hangUp(test.adaLeg, 'MEDIA_TIMEOUT');
    expect(test.call.hold).toEqual({ isWanted: true, status: 'parked' });
    expect(test.steps()).toMatchObject([{ do: 'stop_audio' }, { do: 'play' }]);
    test.pass(6);
    expect(test.steps()).toEqual([]);
    test.apply({ type: 'phone_returned', legId: 'leg-again', employeeId: ada.id });
    test.apply(off);
    expect(test.steps().at(-1)).toMatchObject({ do: 'bridge', peerId: 'leg-again' });
  });

  it('hold is for the controller, in a conversation', () => {
    const waiting = inbound(transfer(ada));
    expect(waiting.apply(on)).toBe('call_not_in_conversation');
    const test = inConversation();
    expect(test.apply({ ...on, actorId: bob.id })).toBe('not_controller');
    test.hangUp();
    expect(test.apply(on)).toBe('call_not_in_conversation');
  });
});

describe('a paused recording', () => {
  const pause = { type: 'pause_recording', actorId: ada.id, paused: true } as const;

  it('a paused recording is masked on the switch until it is resumed', () => {
    const test = inConversation();
    expect(test.apply(pause)).toBeUndefined();
    const order = test.commands.at(-1)!;
    expect(test.steps()).toEqual([
      { do: 'mask_recording', legId: 'leg-customer', recording: 'cal_1-1', isMasked: true },
    ]);
    expect(test.call.recordingPause).toMatchObject({ isPaused: true, isConfirmed: false });
    test.settle(order, { kind: 'control', failures: [] });
    expect(test.call.recordingPause).toMatchObject({ isPaused: true, isConfirmed: true });
    expect(test.apply(pause)).toBeUndefined();
    expect(test.steps()).toEqual([]);
    test.apply({ ...pause, paused: false });
    expect(test.steps()).toMatchObject([{ do: 'mask_recording', isMasked: false }]);
    expect(test.what).toEqual(expect.arrayContaining(['recording_paused', 'recording_resumed']));
  });

  const failures = [{ step: 0, reason: '-ERR Cannot mask recording session!', noSuchLeg: false }];
  const updates = ({ events }: ReturnType<typeof inConversation>) =>
    events.filter(({ type }) => type === 'call-control.call.updated').map(({ call }) => isRecordingPaused(call));

  it('a paused recording is shown once the switch has confirmed it', () => {
    const test = inConversation();
    const before = updates(test).length;
    test.apply(pause);
    expect(isRecordingPaused(test.call)).toBe(false);
    test.settle(test.commands.at(-1)!, { kind: 'control', failures: [] });
    expect(isRecordingPaused(test.call)).toBe(true);
    test.apply({ ...pause, paused: false });
    expect(isRecordingPaused(test.call)).toBe(false);
    expect(updates(test).slice(before)).toEqual([true, false]);
  });

  it('a recording whose pause the switch refuses is not paused, and the pause is ordered again when it is requested again', () => {
    const test = inConversation();
    test.apply(pause);
    test.steps();
    test.settle(test.commands.at(-1)!, { kind: 'control', failures });
    expect(isRecordingPaused(test.call)).toBe(false);
    expect(test.call.recordingPause).toMatchObject({ isPaused: false, isConfirmed: true });
    expect(test.what.slice(-2)).toEqual(['mask_recording_refused', 'recording_pause_refused']);
    expect(test.apply(pause)).toBeUndefined();
    expect(test.steps()).toMatchObject([{ do: 'mask_recording', isMasked: true }]);
    test.settle(test.commands.at(-1)!, { kind: 'control', failures: [] });
    expect(isRecordingPaused(test.call)).toBe(true);
  });

  it('a paused recording is ordered again when it is requested again before it is confirmed', () => {
    const test = inConversation();
    test.apply(pause);
    test.apply(pause);
    expect(test.steps()).toHaveLength(2);
    expect(test.what.filter((what) => what === 'recording_paused')).toHaveLength(1);
  });

  it('a paused recording stays paused when the switch refuses to resume it', () => {
    const test = inConversation();
    test.apply(pause);
    test.settle(test.commands.at(-1)!, { kind: 'control', failures: [] });
    test.apply({ ...pause, paused: false });
    test.settle(test.commands.at(-1)!, { kind: 'control', failures });
    expect(isRecordingPaused(test.call)).toBe(true);
    expect(test.what).toContain('recording_resume_refused');
  });

  it('a paused recording is not shown when the pause and its end were both refused', () => {
    const test = inConversation();
    test.apply(pause);
    const first = test.commands.at(-1)!;
    test.apply({ ...pause, paused: false });
    const second = test.commands.at(-1)!;
    for (const order of [first, second]) test.settle(order, { kind: 'control', failures });
    expect(isRecordingPaused(test.call)).toBe(false);
    expect(test.call.recordingPause?.isConfirmed).toBe(true);
  });

  it('the pause of a recording is for the controller, in a conversation', () => {
    expect(inbound(transfer(ada)).apply(pause)).toBe('call_not_in_conversation');
    expect(inConversation().apply({ ...pause, actorId: bob.id })).toBe('not_controller');
  });
});
