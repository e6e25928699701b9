import { describe, expect, it } from '@jest/globals';
import type { CallFlow } from './call-flow.ts';
import { ada, bob, cyd, inbound, inConversation, outbound, prompt, transfer } from './test-call.ts';

const voicemail: CallFlow = { type: 'voicemail', prompt: prompt('greeting') };
/** A leg as the switch shows it while it waits for us. */
const atSwitch = (legId: string) => ({
  legId,
  isAnswered: false,
  application: 'park',
  applicationData: '',
  memberId: null,
});
const rejection: CallFlow = { type: 'message', prompt: prompt('sorry') };

describe('an arriving call', () => {
  it('with a welcome hears it before the caller joins the queue', () => {
    const test = inbound({ type: 'transfer', prompt: prompt('welcome'), employeeIds: [ada.id] });
    expect(test.call.state).toBe('initiated');
    expect(test.steps().map((step) => step.do)).toEqual(['take', 'answer', 'play']);
    test.finishPlayback();
    expect(test.call.state).toBe('queued');
    expect(test.told).toEqual(['initiated', 'queued']);
    expect(test.events.at(-1)?.call).toMatchObject({ state: 'queued', answeredAt: null });
    expect(test.steps()).toMatchObject([{ do: 'stop_audio' }, { do: 'play', audio: { kind: 'ringtone' } }]);
    expect(test.commands.at(-1)).toEqual({ kind: 'seek_employees' });
  });

  it('goes on when the end of a prompt is never reported', () => {
    const test = inbound({ type: 'transfer', prompt: prompt('welcome'), employeeIds: [ada.id] });
    test.pass(11);
    expect(test.call.state).toBe('initiated');
    test.pass(2);
    expect(test.call.state).toBe('queued');
  });

  it('rings, unanswered, while the audio of its prompt is generated, and hears it then', () => {
    const test = inbound({ type: 'voicemail', prompt: { contentHash: 'greeting', durationMs: null } });
    expect(test.steps().map((step) => step.do)).toEqual(['take', 'ring']);
    test.tell({ type: 'reconciled', legs: [atSwitch('leg-customer')] });
    const order = test.commands.find(({ kind }) => kind === 'prepare_prompt')!;
    test.settle(order, { kind: 'prepare_prompt', durationMs: 1500 });
    expect(test.steps()).toMatchObject([{ do: 'answer' }, { do: 'play', audio: { contentHash: 'greeting' } }]);
    test.finishPlayback();
    expect(test.call.phase.kind).toBe('beep');
  });

  it.each(['is not generated in time', 'is not heard of'])('goes on without a prompt whose audio %s', (why) => {
    const flow: CallFlow = {
      type: 'transfer',
      prompt: { contentHash: 'welcome', durationMs: null },
      employeeIds: [ada.id],
    };
    const test = inbound(flow);
    const order = test.commands.find(({ kind }) => kind === 'prepare_prompt')!;
    if (why === 'is not heard of') test.pass(30);
    else test.settle(order, { kind: 'prepare_prompt', durationMs: null });
    expect(test.call.state).toBe('queued');
    expect(test.steps().map((step) => step.do)).toEqual(['take', 'ring', 'answer', 'play']);
    test.settle(order, { kind: 'prepare_prompt', durationMs: 1500 });
    expect(test.steps()).toEqual([]);
  });

  it('prepares a prompt again whose audio was not found, once, with a tone for who was answered', () => {
    const test = inbound({ type: 'transfer', prompt: prompt('welcome'), employeeIds: [ada.id] });
    const fail = () => {
      const { phase } = test.call;
      if (phase.kind === 'prompt')
        test.tell({ type: 'playback_finished', legId: 'leg-customer', playId: phase.playId, played: false });
    };
    test.steps();
    fail();
    expect(test.steps()).toMatchObject([{ do: 'stop_audio' }, { do: 'play', audio: { kind: 'ringtone' } }]);
    test.settle(
      test.commands.find(({ kind }) => kind === 'prepare_prompt')!,
      {
        kind: 'prepare_prompt',
        durationMs: 1500,
      },
    );
    expect(test.steps()).toMatchObject([{ do: 'stop_audio' }, { do: 'play', audio: { contentHash: 'welcome' } }]);
    fail();
    expect(test.call.state).toBe('queued');
  });

  it('outside business hours says so', () => {
    expect(inbound(voicemail, { outside: true }).told).toEqual(['initiated', 'outside_business_hours']);
  });

  it('that is rejected hears the message, ends and is lost', () => {
    const test = inbound(rejection);
    expect(test.call.state).toBe('playing_audio');
    test.finishPlayback();
    expect(test.steps().at(-1)).toMatchObject({ do: 'hang_up', legId: 'leg-customer' });
    test.hangUp();
    expect(test.call).toMatchObject({ state: 'ended', durationSecs: null, answeredAt: null });
    expect(test.told).toEqual(['initiated', 'ended', 'lost']);
  });

  it.each(['prompt', 'menu', 'waiting', 'greeting', 'message'])('whose caller hangs up in %s is lost once', (kind) => {
    const flows: Record<string, CallFlow> = {
      prompt: { type: 'transfer', prompt: prompt('welcome'), employeeIds: [ada.id] },
      menu: { type: 'menu', prompt: prompt('menu'), options: [] },
      waiting: transfer(ada),
      greeting: voicemail,
      message: rejection,
    };
    const test = inbound(flows[kind]!);
    expect(test.call.phase.kind).toBe(kind);
    test.hangUp();
    test.hangUp();
    expect(test.told.filter((type) => type !== 'queued')).toEqual(['initiated', 'ended', 'lost']);
    expect(test.timers.size).toBe(0);
  });
});

describe('a menu', () => {
  const menu: CallFlow = {
    type: 'menu',
    prompt: prompt('menu'),
    options: [
      { digit: '1', flow: { type: 'transfer', prompt: null, employeeIds: [ada.id] } },
      { digit: '2', flow: { type: 'transfer', prompt: prompt('hold on'), employeeIds: [bob.id] } },
      { digit: '3', flow: { type: 'voicemail', prompt: prompt('after the beep') } },
      { digit: '4', flow: { type: 'message', prompt: prompt('address') } },
    ],
  };
  const press = (digit: string, test = inbound(menu)) => {
    test.tell({ type: 'digit', legId: 'leg-customer', digit });
    return test;
  };

  it.each([
    ['1', 'queued', 'waiting'],
    ['2', 'initiated', 'prompt'],
    ['3', 'playing_audio', 'greeting'],
    ['4', 'playing_audio', 'message'],
  ])('key %s leads to %s', (digit, state, kind) => {
    expect(press(digit).call).toMatchObject({ state, phase: { kind } });
  });

  it('is played four times at most, then the call ends', () => {
    const test = inbound(menu);
    for (const key of ['9', '0', '*']) press(key, test);
    expect(test.call.phase).toMatchObject({ kind: 'menu', plays: 4 });
    press('8', test);
    expect(test.call.phase.kind).toBe('hanging_up');
    test.hangUp();
    expect(test.told).toEqual(['initiated', 'ended', 'lost']);
  });

  it('counts ten seconds without a key as a wrong key', () => {
    const test = inbound(menu);
    test.finishPlayback();
    test.pass(9);
    expect(test.call.phase).toMatchObject({ plays: 1 });
    test.pass(1);
    expect(test.call.phase).toMatchObject({ kind: 'menu', plays: 2 });
  });

  it('ignores keys that another phone presses', () => {
    const test = inbound(menu);
    test.tell({ type: 'digit', legId: 'other', digit: '1' });
    expect(test.call.phase.kind).toBe('menu');
  });
});

describe('a waiting call', () => {
  it('rings everybody; the first to answer wins and the others stop', () => {
    const test = inbound(transfer(ada, bob, cyd));
    const [adaLeg, bobLeg] = [test.ring(ada), test.ring(bob)];
    expect(test.call).toMatchObject({ state: 'transferring', offeredTo: [ada.id, bob.id] });
    test.steps();
    test.tell({ type: 'leg_answered', legId: bobLeg });
    expect(test.call).toMatchObject({ state: 'answered', employees: [bob], activeFor: [bob.id] });
    expect(test.steps()).toEqual([{ do: 'hang_up', legId: adaLeg, cause: 'LOSE_RACE' }]);
    test.tell({ type: 'leg_parked', legId: bobLeg, arrival: null });
    expect(test.steps()).toEqual([
      { do: 'start_recording', legId: 'leg-customer', recording: 'cal_1-1' },
      { do: 'bridge', legId: 'leg-customer', peerId: bobLeg },
    ]);
    test.bridged(bobLeg);
    expect(test.call.state).toBe('bridged');
    expect(test.told).toEqual(['initiated', 'queued', 'answered']);
    expect(test.timers.size).toBe(0);
  });

  it('knows the conversation before it gives the offer back', () => {
    const test = inbound(transfer(ada));
    test.answer(test.ring(ada));
    const kinds = test.commands.map(({ kind }) => kind);
    expect(kinds.indexOf('start_conversation')).toBeLessThan(kinds.indexOf('release_offer'));
  });

  it('connects whoever answers, also when phones were rung together', () => {
    const test = inbound(transfer(ada, bob));
    test.tell({ type: 'offer', employee: ada });
    test.tell({ type: 'offer', employee: bob });
    test.ringPhone(ada.id);
    test.answer(test.ringPhone(bob.id));
    expect(test.call).toMatchObject({ state: 'answered', employees: [bob] });
  });

  it('lets the second of two simultaneous answers lose', () => {
    const test = inbound(transfer(ada, bob));
    const [adaLeg, bobLeg] = [test.ring(ada), test.ring(bob)];
    test.tell({ type: 'leg_answered', legId: adaLeg });
    test.tell({ type: 'leg_answered', legId: bobLeg });
    expect(test.told.filter((type) => type === 'answered')).toHaveLength(1);
    expect(test.call.employees).toEqual([ada]);
  });

  it('passes somebody who declined over for 15 seconds', () => {
    const test = inbound(transfer(ada));
    const leg = test.ring(ada);
    test.hangUp(leg, 'CALL_REJECTED');
    expect(test.call).toMatchObject({ state: 'queued', offeredTo: [] });
    test.tell({ type: 'offer', employee: ada });
    expect(test.call.offeredTo).toEqual([]);
    test.pass(15);
    expect(test.commands.at(-1)).toEqual({ kind: 'seek_employees' });
    test.tell({ type: 'offer', employee: ada });
    expect(test.call.offeredTo).toEqual([ada.id]);
  });

  it('does not ring somebody twice, or somebody it is not for', () => {
    const test = inbound(transfer(ada));
    test.ring(ada);
    test.tell({ type: 'offer', employee: ada });
    test.tell({ type: 'offer', employee: cyd });
    expect(test.call.offeredTo).toEqual([ada.id]);
  });

  it('withdraws what rings at somebody who wants no calls', () => {
    const test = inbound(transfer(ada, bob));
    const leg = test.ring(ada);
    test.ring(bob);
    test.steps();
    test.tell({ type: 'withdraw_offer', employeeId: ada.id });
    expect(test.steps()).toMatchObject([{ do: 'hang_up', legId: leg }]);
    expect(test.call).toMatchObject({ state: 'transferring', offeredTo: [bob.id] });
  });

  it('rings somebody again at once who did not decline: after do-not-disturb, and after a phone went off line', () => {
    const test = inbound(transfer(ada));
    test.ring(ada);
    test.tell({ type: 'withdraw_offer', employeeId: ada.id });
    const leg = test.ring(ada);
    expect(test.call.offeredTo).toEqual([ada.id]);
    test.tell({ type: 'phone_lost', legIds: [leg] });
    test.hangUp(leg, 'NORMAL_CLEARING');
    expect(test.call).toMatchObject({ state: 'queued', offeredTo: [] });
    test.ring(ada);
    expect(test.call.offeredTo).toEqual([ada.id]);
  });

  it('counts an employee without a phone as passed over', () => {
    const test = inbound(transfer(ada));
    test.tell({ type: 'offer', employee: ada });
    const order = test.commands.at(-1)!;
    test.settle(order, { kind: 'ring', rung: [] });
    expect(test.call).toMatchObject({ state: 'queued', offeredTo: [], legIds: ['leg-customer'] });
  });

  it('asks the switch after a ring order of unknown outcome', () => {
    const test = inbound(transfer(ada));
    test.tell({ type: 'offer', employee: ada });
    const order = test.commands.at(-1)!;
    test.settle(order, { kind: 'unknown' });
    const check = test.commands.at(-1)!;
    expect(check).toEqual({ kind: 'check_legs', legIds: order.kind === 'ring' ? order.legIds : [] });
    test.settle(check, { kind: 'check_legs', existing: [] });
    expect(test.call.offeredTo).toEqual([]);
  });

  it('stops ringing when the caller gives up', () => {
    const test = inbound(transfer(ada));
    const leg = test.ring(ada);
    test.steps();
    test.hangUp('leg-customer', 'ORIGINATOR_CANCEL');
    expect(test.steps()).toEqual([{ do: 'hang_up', legId: leg, cause: 'ORIGINATOR_CANCEL' }]);
    expect(test.commands.at(-1)).toMatchObject({ kind: 'release_offer', employeeId: ada.id });
    expect(test.call.state).toBe('ended');
  });

  it('does not connect a phone that answered too late', () => {
    const test = inbound(transfer(ada), { noAnswer: { timeoutSecs: 15, flow: voicemail } });
    const leg = test.ring(ada);
    test.pass(15);
    expect(test.call.state).toBe('playing_audio');
    test.tell({ type: 'leg_answered', legId: leg });
    expect(test.call).toMatchObject({ state: 'playing_audio', answeredAt: null, employees: [] });
  });
});

describe('nobody answers', () => {
  it('in time: the fallback runs once, and its own transfer waits without a timer', () => {
    const test = inbound(transfer(ada), { noAnswer: { timeoutSecs: 15, flow: transfer(bob) } });
    test.pass(15);
    expect(test.call).toMatchObject({ state: 'queued', waitingFor: [bob.id], noAnswer: null });
    expect(test.timers.has('no_answer')).toBe(false);
    test.pass(7200);
    expect(test.call).toMatchObject({ state: 'queued', waitingFor: [bob.id] });
    expect(test.told.filter((type) => type === 'queued')).toHaveLength(1);
  });

  it('in time: the caller is in the queue, not being transferred, while the fallback speaks', () => {
    const flow: CallFlow = { type: 'menu', prompt: prompt('choose'), options: [{ digit: '1', flow: rejection }] };
    const test = inbound(transfer(ada), { noAnswer: { timeoutSecs: 15, flow } });
    test.ring(ada);
    test.pass(15);
    expect(test.call).toMatchObject({ state: 'queued', phase: { kind: 'menu' } });
    test.tell({ type: 'digit', legId: 'leg-customer', digit: '1' });
    expect(test.call).toMatchObject({ state: 'playing_audio', phase: { kind: 'message' } });
  });

  it('without a timer the caller waits', () => {
    const test = inbound(transfer(ada));
    test.pass(7200);
    expect(test.call.state).toBe('queued');
  });

  it('stops the timer once somebody has answered', () => {
    const test = inbound(transfer(ada), { noAnswer: { timeoutSecs: 15, flow: rejection } });
    test.answer(test.ring(ada));
    test.pass(60);
    expect(test.call.phase.kind).toBe('talking');
  });
});

describe('a voicemail', () => {
  const recording = () => {
    const test = inbound(voicemail);
    test.finishPlayback();
    expect(test.call.phase.kind).toBe('beep');
    test.finishPlayback();
    expect(test.call).toMatchObject({ state: 'recording', phase: { kind: 'voicemail', recording: 'cal_1-1' } });
    return test;
  };
  const stopped = { type: 'recording_stopped', legId: 'leg-customer', recording: 'cal_1-1' } as const;

  it('is saved when the caller hangs up; the call is missed but not lost', () => {
    const test = recording();
    test.pass(8);
    test.tell({ ...stopped, durationMs: 7000 });
    test.hangUp();
    expect(test.call).toMatchObject({ state: 'ended', durationSecs: null, voicemailId: expect.stringMatching(/^vm_/) });
    expect(test.told).toEqual(['initiated', 'ended']);
    expect(test.commands.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['save_voicemail', 'upload_recording']),
    );
  });

  it('of silence is none', () => {
    const test = recording();
    test.tell({ ...stopped, durationMs: 400 });
    test.hangUp();
    expect(test.call.voicemailId).toBeNull();
    expect(test.told).toEqual(['initiated', 'ended', 'lost']);
  });

  it.each(['#', 'the limit'])('ends with %s', (end) => {
    const test = recording();
    test.steps();
    if (end === '#') test.tell({ type: 'digit', legId: 'leg-customer', digit: '#' });
    else test.pass(180);
    expect(test.steps()).toEqual([{ do: 'stop_audio', legId: 'leg-customer' }]);
    test.tell({ ...stopped, durationMs: 5000 });
    expect(test.steps()).toMatchObject([{ do: 'hang_up', legId: 'leg-customer' }]);
    expect(test.call.voicemailId).not.toBeNull();
  });

  it('whose end was not seen is saved all the same', () => {
    const test = recording();
    test.pass(20);
    test.tell({ type: 'reconciled', legs: [] });
    expect(test.call).toMatchObject({ state: 'ended', voicemailId: expect.any(String) });
  });
});

describe('a conversation', () => {
  it('ends when the customer hangs up', () => {
    const test = inConversation();
    test.pass(61.5);
    test.tell({ type: 'recording_stopped', legId: 'leg-customer', recording: 'cal_1-1', durationMs: 61_000 });
    test.hangUp();
    expect(test.call).toMatchObject({ state: 'ended', durationSecs: 61, employees: [ada], activeFor: [] });
    expect(test.steps()).toMatchObject([{ do: 'hang_up', legId: test.adaLeg }]);
    expect(test.told).toEqual(['initiated', 'queued', 'answered', 'ended']);
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

  it('ends when the switch no longer knows the customer', () => {
    const test = inConversation();
    test.hangUp(test.adaLeg);
    const order = test.commands.findLast(({ kind }) => kind === 'control')!;
    test.settle(order, { kind: 'control', failures: [{ step: 0, reason: '-ERR No such channel!', noSuchLeg: true }] });
    expect(test.call.state).toBe('ended');
  });

  it('is not recorded where the number says so', () => {
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
    test.tell({ type: 'switch_restarted' });
    test.tell({ type: 'switch_restarted' });
    expect(test.told).toEqual(['initiated', 'queued', 'answered', 'ended']);
    expect(test.call.legs).toEqual([]);
  });
});

describe('what was missed while the switch was not heard', () => {
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
    test.tell({
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
    test.tell({ type: 'reconciled', legs: [snapshot('leg-customer', 'playback'), snapshot(leg, 'park')] });
    expect(test.call).toMatchObject({ state: 'answered', phase: { kind: 'talking' } });
  });

  it('may be the end of the prompt', () => {
    const test = inbound({ type: 'transfer', prompt: prompt('welcome'), employeeIds: [ada.id] });
    test.tell({ type: 'reconciled', legs: [snapshot('leg-customer', 'park')] });
    expect(test.call.state).toBe('queued');
  });

  it('does not end a leg that is about to be created', () => {
    const test = inbound(transfer(ada));
    test.tell({ type: 'offer', employee: ada });
    test.tell({ type: 'reconciled', legs: [snapshot('leg-customer', 'playback')] });
    expect(test.call.offeredTo).toEqual([ada.id]);
  });
});

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

  it('is answered by the other side, bridged and recorded there', () => {
    const { test, legId } = answered();
    expect(test.call).toMatchObject({ state: 'answered', initiatedBy: ada, employees: [ada], activeFor: [ada.id] });
    expect(test.steps().slice(3)).toEqual([
      { do: 'answer', legId: 'leg-ada' },
      { do: 'start_recording', legId, recording: 'cal_1-1' },
      { do: 'bridge', legId: 'leg-ada', peerId: legId },
    ]);
    test.tell({ type: 'leg_bridged', legId: 'leg-ada', peerId: legId });
    expect(test.call.state).toBe('bridged');
    test.hangUp(legId);
    expect(test.told).toEqual(['initiated', 'answered', 'ended']);
  });

  it.each([
    ['USER_BUSY', 'USER_BUSY'],
    ['NO_ANSWER', 'NO_ANSWER'],
    ['SUBSCRIBER_ABSENT', 'NORMAL_CLEARING'],
  ] as const)('that fails with %s ends, and is not lost', (cause, told) => {
    const test = outbound(2);
    test.steps();
    test.hangUp(test.call.customerLegId, cause);
    expect(test.steps()).toEqual([{ do: 'hang_up', legId: 'leg-ada', cause: told }]);
    expect(test.call).toMatchObject({ state: 'ended', answeredAt: null });
    expect(test.told).toEqual(['initiated', 'ended']);
  });

  it('tries the next carrier when the first cannot reach the network', () => {
    const test = outbound(2);
    test.tell({ type: 'originate_failed', legId: test.call.customerLegId, cause: 'NORMAL_TEMPORARY_FAILURE' });
    expect(test.commands.at(-1)).toMatchObject({ kind: 'dial', carrier: 1, legId: test.call.customerLegId });
    test.tell({ type: 'originate_failed', legId: test.call.customerLegId, cause: 'NORMAL_TEMPORARY_FAILURE' });
    expect(test.call.state).toBe('ended');
  });

  it('that the employee gives up stops ringing', () => {
    const test = outbound();
    const legId = test.call.customerLegId;
    test.steps();
    test.hangUp('leg-ada');
    expect(test.steps()).toEqual([{ do: 'hang_up', legId, cause: 'ORIGINATOR_CANCEL' }]);
    test.hangUp(legId, 'ORIGINATOR_CANCEL');
    expect(test.told).toEqual(['initiated', 'ended']);
  });

  it('ignores a failed job of a leg that lives', () => {
    const { test, legId } = answered();
    test.tell({ type: 'originate_failed', legId, cause: 'ORIGINATOR_CANCEL' });
    expect(test.call.state).toBe('answered');
  });
});
