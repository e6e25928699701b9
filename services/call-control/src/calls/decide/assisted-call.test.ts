import { describe, expect, it } from '@jest/globals';
import { ada, bob, inbound, prompt, rejection, type TestCall, transfer, voicemail } from '../../../test/test-call.ts';
import {
  admit,
  answeredBy,
  assisted,
  park,
  reservation,
  robin,
  startTransfer,
  told,
} from '../../../test/test-assisted-call.ts';
import type { FallbackReason } from '../model/call-assistant.ts';
import { isMissed } from '../model/call.ts';
import type { StepFlow } from '../model/call-flow.ts';

const employees = transfer(ada, bob) as StepFlow;

const refuse = (test: TestCall, refused: FallbackReason, attempt = 1) =>
  test.settle({ kind: 'reserve_assistant', attempt }, { kind: 'reserve_assistant', reservation: { refused } });
const orders = (test: TestCall, kind: string) => test.commands.filter((command) => command.kind === kind);
const noted = (test: TestCall) =>
  test.call.timeline.filter(({ type }) => type === 'assistant').map(({ what, detail }) => [what, detail]);
const end = (test: TestCall) => test.apply({ type: 'end_assisted_call' });
const report = (test: TestCall, outcomeIfLeft: 'resolved' | 'message_taken' | 'abandoned', revision = 1) =>
  test.apply({ type: 'session_reported', revision, engine: 'endpoint', outcomeIfLeft });

describe('a call that an assistant is to answer', () => {
  it('a call that an assistant is to answer is neither answered nor heard before a session is admitted', () => {
    const test = inbound(answeredBy());
    expect(orders(test, 'reserve_assistant')).toEqual([{ kind: 'reserve_assistant', attempt: 1 }]);
    expect(test.steps()).toEqual([{ do: 'take', legId: 'leg-customer' }]);
    expect(test.call).toMatchObject({ state: 'initiated', assistant: { ...robin, outcome: null, sessionId: null } });
    expect(test.eventTypes).toEqual(['initiated']);
    expect(test.events.at(-1)?.current?.assistant).toMatchObject(robin);
  });

  it('a call that an assistant is to answer is connected with it once its leg waits, and the session is told', () => {
    const test = inbound(answeredBy());
    const legId = admit(test);
    expect(orders(test, 'dial_assistant')).toEqual([
      { kind: 'dial_assistant', legId, address: reservation(1).address },
    ]);
    expect(test.steps().map((step) => step.do)).toEqual(['take', 'answer']);
    test.answer(legId);
    expect(test.steps()).toMatchObject([
      { do: 'start_recording', legId: 'leg-customer' },
      { do: 'bridge', legId: 'leg-customer', peerId: legId },
    ]);
    expect(told(test)).toEqual([]);
    test.bridged(legId);
    expect(told(test)).toEqual([{ kind: 'connected', attempt: 1 }]);
    expect(orders(test, 'update_assistant')).toHaveLength(1);
    expect(test.call).toMatchObject({ state: 'initiated', answeredAt: null, assistant: { sessionId: 'ses_1' } });
    expect([...test.timers.keys()]).toEqual(['max_length', 'assistant_length']);
  });

  it('a call that an assistant is to answer is announced as recorded before the two are connected', () => {
    const test = inbound(answeredBy(), { recordingAnnouncement: prompt('recorded') });
    const legId = admit(test);
    test.answer(legId);
    expect(test.steps().map((step) => step.do)).toEqual(['take', 'answer', 'play']);
    test.finishPlayback();
    expect(test.steps()).toMatchObject([{ do: 'start_recording' }, { do: 'bridge', peerId: legId }]);
  });

  it('a call that an assistant is to answer is not recorded when the announcement was not heard', () => {
    const test = inbound(answeredBy(), { recordingAnnouncement: prompt('recorded') });
    const legId = admit(test);
    test.answer(legId);
    test.pass(13);
    expect(test.what).toContain('recording_not_announced');
    test.bridged(legId);
    expect(test.call.recordings).toEqual([]);
    expect(test.call.phase).toMatchObject({ kind: 'assisted', link: 'bridged' });
  });

  it('a call that an assistant is to answer waits for a long announcement, but not for a leg that does not come', () => {
    const long = { contentHash: 'long', durationMs: 30_000 };
    const test = inbound(answeredBy(employees), { recordingAnnouncement: long });
    const legId = admit(test);
    test.answer(legId);
    test.pass(20);
    expect(test.call.phase.kind).toBe('assisted');
    test.hangUp(legId, 'MEDIA_TIMEOUT');
    test.pass(5);
    expect(test.call).toMatchObject({ phase: { kind: 'waiting' }, assistant: { fallbackReason: 'failed' } });
  });

  it('a call that an assistant is to answer again, after it has left, goes on with the fallback of that flow', () => {
    const test = inbound(answeredBy(employees), { noAnswer: { timeoutSecs: 20, flow: answeredBy(voicemail) } });
    refuse(test, 'capacity');
    test.pass(20);
    expect(test.call).toMatchObject({ phase: { kind: 'greeting' }, assistant: { fallbackReason: 'capacity' } });
    expect(orders(test, 'reserve_assistant')).toHaveLength(1);
  });

  it('a call that an assistant answers because nobody did is queued, has no place and does not ring', () => {
    const test = inbound(employees, { noAnswer: { timeoutSecs: 20, flow: answeredBy() } });
    test.ring(ada);
    test.pass(20);
    test.answer(admit(test));
    expect(test.call).toMatchObject({ state: 'queued', phase: { kind: 'assisted' }, waitingFor: [], offeredTo: [] });
    expect(test.steps()).toContainEqual({ do: 'stop_audio', legId: 'leg-customer' });
  });
});

describe('a session that is not admitted', () => {
  it('a session that is not admitted leads to the fallback without a word, with its reason', () => {
    const test = inbound(answeredBy(employees), { recordingAnnouncement: prompt('recorded') });
    refuse(test, 'inactive');
    expect(test.call).toMatchObject({
      state: 'queued',
      phase: { kind: 'waiting', employeeIds: [ada.id, bob.id] },
      assistant: { outcome: 'fallback', fallbackReason: 'inactive', sessionId: null },
    });
    expect(test.eventTypes).toEqual(['initiated', 'queued']);
    expect([orders(test, 'dial_assistant'), orders(test, 'update_assistant')]).toEqual([[], []]);
    // The conversation is announced as any other.
    const leg = test.ring(ada);
    test.answer(leg);
    expect(test.call.phase.kind).toBe('announcing');
  });

  it('a session that is not admitted in time is not waited for, and is told its end when it is admitted later', () => {
    const test = inbound(answeredBy());
    test.pass(5);
    expect(test.call).toMatchObject({ phase: { kind: 'message' }, assistant: { fallbackReason: 'failed' } });
    test.settle({ kind: 'reserve_assistant', attempt: 1 }, { kind: 'reserve_assistant', reservation: reservation(1) });
    expect(orders(test, 'dial_assistant')).toEqual([]);
    expect(orders(test, 'update_assistant')).toHaveLength(1);
    expect(told(test)).toMatchObject([{ kind: 'ended', outcome: 'fallback', fallbackReason: 'failed' }]);
  });

  it('a session that is not admitted starts the no-answer timer with the wait for employees', () => {
    const test = inbound(answeredBy(employees), { noAnswer: { timeoutSecs: 20, flow: rejection } });
    expect(test.timers.has('no_answer')).toBe(false);
    refuse(test, 'limit_caller');
    expect(test.timers.has('no_answer')).toBe(true);
  });
});

describe('the fallback', () => {
  const runFallback = (test: TestCall, reason: FallbackReason = 'requested') =>
    test.apply({ type: 'run_fallback', reason });

  it('the fallback begins once the caller waits for it, and the assistant has left', () => {
    const test = assisted(employees);
    runFallback(test, 'key');
    expect(test.steps()).toMatchObject([
      { do: 'park', legId: 'leg-customer' },
      { do: 'hang_up', legId: test.assistantLeg },
      { do: 'mask_recording', isMasked: true },
    ]);
    expect(test.call.assistant).toMatchObject({ outcome: 'fallback', fallbackReason: 'key' });
    expect(told(test)).toContainEqual({ kind: 'ended', outcome: 'fallback', fallbackReason: 'key', at: test.now });
    park(test, 'leg-customer');
    expect(test.call).toMatchObject({ state: 'queued', phase: { kind: 'waiting' } });
    expect(noted(test)).toContainEqual(['assistant_left', 'key']);
  });

  it('the fallback records the conversation that follows in the recording of before', () => {
    const test = assisted(employees);
    runFallback(test);
    park(test, 'leg-customer');
    test.steps();
    const adaLeg = test.ring(ada);
    test.answer(adaLeg);
    expect(test.steps()).toMatchObject([
      { do: 'mask_recording', isMasked: false },
      { do: 'bridge', peerId: adaLeg },
    ]);
    test.bridged(adaLeg);
    expect(test.call).toMatchObject({
      state: 'bridged',
      answeredAt: test.now,
      recordings: [{ name: 'cal_1-1', isMasked: false }],
      conversationSpans: [{ employee: ada, recording: 'cal_1-1' }],
    });
  });

  it('the fallback to a voicemail ends the recording first', () => {
    const test = assisted(voicemail);
    runFallback(test);
    park(test, 'leg-customer');
    expect(test.steps()).toMatchObject([
      { do: 'park' },
      { do: 'hang_up' },
      { do: 'stop_recording', recording: 'cal_1-1' },
      { do: 'stop_audio' },
      { do: 'play' },
    ]);
    expect(test.call).toMatchObject({ state: 'playing_audio', phase: { kind: 'greeting' } });
  });

  it('the fallback begins although nobody reports that the caller waits', () => {
    const test = assisted(employees);
    runFallback(test);
    test.steps();
    test.pass(5);
    expect(test.steps()).toEqual([{ do: 'park', legId: 'leg-customer' }]);
    park(test, 'leg-customer');
    expect(test.call.phase.kind).toBe('waiting');
  });

  it('the fallback that is asked for twice, or after the session, happens once', () => {
    const test = assisted(employees);
    runFallback(test);
    park(test, 'leg-customer');
    runFallback(test);
    end(test);
    expect(test.call.phase.kind).toBe('waiting');
    expect(told(test).filter(({ kind }) => kind === 'ended')).toHaveLength(1);
  });

  it('the fallback takes a call that the assistant does not end', () => {
    const test = assisted(employees);
    test.pass(31 * 60);
    expect(test.call.assistant).toMatchObject({ outcome: 'fallback', fallbackReason: 'limit_duration' });
  });
});

describe('the end of a session', () => {
  it('the end of a session after its goodbye ends the call, with the outcome that was reported last', () => {
    const test = assisted();
    report(test, 'message_taken', 2);
    report(test, 'abandoned', 1);
    end(test);
    expect(test.steps()).toMatchObject([
      { do: 'hang_up', legId: test.assistantLeg },
      { do: 'hang_up', legId: 'leg-customer' },
    ]);
    test.hangUp();
    expect(test.call).toMatchObject({
      state: 'ended',
      answeredAt: null,
      assistant: { outcome: 'message_taken', engine: 'endpoint' },
    });
    expect(test.events.findLast(({ type }) => type.endsWith('.ended'))?.call.assistant?.outcome).toBe('message_taken');
    expect(test.eventTypes).toEqual(['initiated', 'ended']);
    expect(isMissed(test.call)).toBe(false);
  });

  it('the end of a session by a caller who leaves before anything was done is a lost call', () => {
    const test = assisted();
    test.hangUp();
    expect(test.eventTypes).toEqual(['initiated', 'ended', 'lost']);
    expect(test.call.assistant?.outcome).toBe('abandoned');
    expect(isMissed(test.call)).toBe(true);
    expect(test.call.abandoned).toBeUndefined();
    expect(told(test)).toMatchObject([{ kind: 'connected' }, { kind: 'ended', outcome: 'abandoned' }]);
  });

  it('the end of a session whose switch has lost the call is a failure', () => {
    const test = assisted();
    report(test, 'resolved');
    test.apply({ type: 'switch_restarted' });
    expect(test.call).toMatchObject({ state: 'ended', assistant: { outcome: 'failed' } });
    expect(test.eventTypes).toContain('lost');
  });

  it('the end of a session leaves nothing to hear of later reports', () => {
    const test = assisted();
    test.hangUp();
    report(test, 'resolved');
    expect(test.call.assistant).toMatchObject({ outcome: 'abandoned', report: null });
  });
});

describe('a leg of the assistant that is lost', () => {
  const lost = (more: Parameters<typeof assisted>[1] = {}) => {
    const test = assisted(employees, more);
    test.hangUp(test.assistantLeg, 'MEDIA_TIMEOUT');
    return test;
  };

  it('a leg of the assistant that is lost is replaced by another one, which continues the session', () => {
    const test = lost();
    expect(orders(test, 'reserve_assistant').at(-1)).toEqual({ kind: 'reserve_assistant', attempt: 2 });
    park(test, 'leg-customer');
    expect(test.steps().map((step) => step.do)).toEqual(['park', 'stop_audio', 'play']);
    const legId = admit(test, 2);
    test.answer(legId);
    test.bridged(legId);
    expect(told(test)).toEqual([
      { kind: 'connected', attempt: 1 },
      { kind: 'connected', attempt: 2 },
    ]);
    expect(test.call.recordings).toHaveLength(1);
    expect(test.call.legs.map(({ id }) => id)).toEqual(['leg-customer', legId]);
  });

  it('a leg of the assistant that is lost leads to the fallback when no other process takes the session', () => {
    const test = lost();
    refuse(test, 'capacity', 2);
    park(test, 'leg-customer');
    expect(test.call).toMatchObject({ phase: { kind: 'waiting' }, assistant: { fallbackReason: 'failed' } });
  });

  it('a leg of the assistant that is lost leads to the fallback after five seconds', () => {
    const test = lost();
    park(test, 'leg-customer');
    admit(test, 2);
    test.pass(4.9);
    expect(test.call.phase.kind).toBe('assisted');
    test.pass(0.1);
    expect(test.call).toMatchObject({ phase: { kind: 'waiting' }, assistant: { fallbackReason: 'failed' } });
  });

  it('a leg of the assistant that is lost is replaced twice, and not a third time', () => {
    const test = lost();
    park(test, 'leg-customer');
    test.hangUp(admit(test, 2), 'NORMAL_TEMPORARY_FAILURE');
    test.hangUp(admit(test, 3), 'NORMAL_TEMPORARY_FAILURE');
    expect(test.call).toMatchObject({ phase: { kind: 'waiting' }, assistant: { fallbackReason: 'failed' } });
  });

  it('a leg of the assistant whose creation is unknown is looked for', () => {
    const test = inbound(answeredBy());
    const legId = admit(test);
    const dialled = orders(test, 'dial_assistant')[0]!;
    test.settle(dialled, { kind: 'unknown' });
    expect(test.commands.at(-1)).toEqual({ kind: 'check_legs', legIds: [legId] });
    test.settle(test.commands.at(-1)!, { kind: 'check_legs', existing: [] });
    expect(orders(test, 'reserve_assistant').at(-1)).toEqual({ kind: 'reserve_assistant', attempt: 2 });
  });

  it('a bridge with the assistant that is not reported is ordered again, and found by a reconciliation', () => {
    const test = inbound(answeredBy());
    const legId = admit(test);
    test.answer(legId);
    test.steps();
    test.pass(4.9);
    const application = { application: 'uuid_bridge', isAnswered: true, memberId: null };
    test.reconcile([
      { legId: 'leg-customer', applicationData: legId, ...application },
      { legId, applicationData: 'leg-customer', ...application },
    ]);
    expect(test.call.phase).toMatchObject({ link: 'bridged' });
    const before = test.call;
    test.reconcile([
      { legId: 'leg-customer', applicationData: legId, ...application },
      { legId, applicationData: 'leg-customer', ...application },
    ]);
    expect(test.call).toBe(before);
  });
});

describe('a callback that the assistant has promised', () => {
  const promise = (test: TestCall, number: string | null = null, actionId = 'act_call') =>
    test.apply({ type: 'promise_callback', actionId, number, employeeIds: [bob.id] });

  it('a callback that the assistant has promised is queued after the goodbye, whether or not the number offers any', () => {
    const test = assisted();
    promise(test);
    end(test);
    expect(test.call).toMatchObject({
      state: 'queued',
      phase: { kind: 'waiting', employeeIds: [bob.id] },
      callback: { state: 'waiting', attempts: 0 },
      assistant: { outcome: 'callback_requested' },
      waitingFor: [bob.id],
    });
    expect(test.eventTypes).toEqual(['initiated', 'queued']);
    for (const { id } of test.call.legs) test.hangUp(id);
    expect(test.call.state).toBe('queued');
    const bobLeg = test.ring(bob);
    test.answer(bobLeg);
    expect(test.commands.findLast(({ kind }) => kind === 'dial')).toMatchObject({ to: '+4520304050', asks: true });
  });

  it('a callback that the assistant has promised is kept when the caller hangs up, also while waiting in the fallback', () => {
    const test = assisted(employees);
    promise(test);
    test.hangUp();
    expect(test.call.callback?.state).toBe('waiting');
    const other = assisted(employees);
    promise(other);
    other.apply({ type: 'run_fallback', reason: 'key' });
    park(other, 'leg-customer');
    other.ring(ada);
    other.hangUp();
    expect(other.call).toMatchObject({
      callback: { state: 'waiting' },
      offeredTo: [],
      assistant: { outcome: 'fallback' },
    });
  });

  it('a callback that the assistant has promised goes to the number that was spoken', () => {
    const test = assisted();
    promise(test, '+4531323334');
    end(test);
    test.answer(test.ring(bob));
    expect(test.commands.findLast(({ kind }) => kind === 'dial')).toMatchObject({ to: '+4531323334' });
    expect(test.call.outsideNumbers).toEqual(['+4531323334']);
  });

  it('a callback that the assistant has promised is forgotten once an employee has answered, or a voicemail was left', () => {
    const test = assisted(employees);
    promise(test);
    test.apply({ type: 'run_fallback', reason: 'key' });
    park(test, 'leg-customer');
    const adaLeg = test.ring(ada);
    test.answer(adaLeg);
    test.bridged(adaLeg);
    test.hangUp();
    expect(test.call).toMatchObject({ state: 'ended' });
    expect(test.call.callback).toBeUndefined();
    const left = assisted(voicemail);
    promise(left);
    left.apply({ type: 'run_fallback', reason: 'key' });
    park(left, 'leg-customer');
    left.hangUp();
    expect(left.call.state).toBe('ended');
  });

  it('a callback that the assistant has promised outlives the switch', () => {
    const test = assisted();
    promise(test);
    test.apply({ type: 'switch_lost', next: { name: 'two', coreUuid: 'core-2' } });
    expect(test.call).toMatchObject({
      callback: { state: 'waiting' },
      switch: { name: 'two' },
      legs: [],
      assistant: { outcome: 'failed' },
    });
  });

  it('a callback that is promised twice is one, and none is promised without an assistant', () => {
    const test = assisted(employees);
    promise(test);
    promise(test);
    expect(test.what.filter((what) => what === 'callback_promised')).toHaveLength(1);
    expect(promise(inbound(employees))).toBe('assistant_not_in_call');
  });
});

describe('what a session is told', () => {
  it('what a session is told stays until it has confirmed it', () => {
    const test = assisted();
    startTransfer(test, '+4531323334');
    test.settle({ kind: 'update_assistant' }, { kind: 'update_assistant', confirmed: 1 });
    expect(told(test)).toEqual([]);
    test.hangUp();
    test.settle({ kind: 'update_assistant' }, { kind: 'update_assistant', confirmed: 1 });
    expect(test.call.assistant?.updates).toMatchObject([{ sequence: 2, update: { kind: 'ended' } }]);
  });

  it('what a session says about itself is shown, and is no event while nothing of it is', () => {
    const test = assisted();
    const updates = () => test.events.filter(({ type }) => type.endsWith('.updated')).length;
    const before = updates();
    report(test, 'abandoned');
    expect([test.call.assistant?.engine, updates()]).toEqual(['endpoint', before + 1]);
    report(test, 'resolved', 2);
    expect(updates()).toBe(before + 1);
  });

  it('hold and transfers by employees are refused while an assistant is in the call', () => {
    const test = assisted();
    expect(test.apply({ type: 'hold', actorId: ada.id, on: true })).toBe('call_not_in_conversation');
    expect(test.apply({ type: 'supervise', supervisor: ada, mode: 'listen' })).toBe('call_not_in_conversation');
    const input = { type: 'start_transfer', transferId: 'tra_1', actorId: ada.id, target: bob } as const;
    expect(test.apply(input)).toBe('call_not_transferable');
  });

  it('keys of the caller mean nothing to the call while an assistant hears them, nor while it does not', () => {
    const test = assisted();
    const before = test.call;
    test.apply({ type: 'digit', legId: 'leg-customer', digit: '0' });
    expect(test.call).toBe(before);
  });
});
