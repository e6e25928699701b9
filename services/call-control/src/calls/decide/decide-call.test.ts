import { describe, expect, it } from '@jest/globals';
import type { CallFlow } from '../model/call-flow.ts';
import type { ControlStep } from '../model/call-command.ts';
import {
  ada,
  bob,
  inbound,
  inConversation,
  outbound,
  prompt,
  transfer,
  voicemail,
  atSwitch,
  rejection,
  type TestCall,
} from '../../../test/test-call.ts';

describe('an arriving call', () => {
  it('an arriving call plays its welcome before the caller joins the queue', () => {
    const test = inbound({ type: 'transfer', prompt: prompt('welcome'), employeeIds: [ada.id] });
    expect(test.call.state).toBe('initiated');
    expect(test.steps().map((step) => step.do)).toEqual(['take', 'answer', 'play']);
    test.finishPlayback();
    expect(test.call.state).toBe('queued');
    expect(test.eventTypes).toEqual(['initiated', 'queued']);
    expect(test.events.at(-1)?.call).toMatchObject({ state: 'queued', answeredAt: null });
    expect(test.steps()).toMatchObject([{ do: 'stop_audio' }, { do: 'play', audio: { kind: 'ringtone' } }]);
    expect(test.commands.at(-1)).toEqual({ kind: 'dispatch_employees' });
  });

  it('an arriving call continues when the end of a prompt is never reported', () => {
    const test = inbound({ type: 'transfer', prompt: prompt('welcome'), employeeIds: [ada.id] });
    test.pass(11);
    expect(test.call.state).toBe('initiated');
    test.pass(2);
    expect(test.call.state).toBe('queued');
  });

  it('an arriving call rings, unanswered, while the audio of its prompt is generated, and plays it then', () => {
    const test = inbound({ type: 'voicemail', prompt: { contentHash: 'greeting', durationMs: null } });
    expect(test.steps().map((step) => step.do)).toEqual(['take', 'ring']);
    test.reconcile([atSwitch('leg-customer')]);
    const order = test.commands.find(({ kind }) => kind === 'prepare_prompt')!;
    test.settle(order, { kind: 'prepare_prompt', durationMs: 1500 });
    expect(test.steps()).toMatchObject([{ do: 'answer' }, { do: 'play', audio: { contentHash: 'greeting' } }]);
    test.finishPlayback();
    expect(test.call.phase.kind).toBe('beep');
  });

  it.each(['is not generated in time', 'is never reported'])(
    'an arriving call continues without a prompt whose audio %s',
    (why) => {
      const flow: CallFlow = {
        type: 'transfer',
        prompt: { contentHash: 'welcome', durationMs: null },
        employeeIds: [ada.id],
      };
      const test = inbound(flow);
      const order = test.commands.find(({ kind }) => kind === 'prepare_prompt')!;
      if (why === 'is never reported') test.pass(40);
      else test.settle(order, { kind: 'prepare_prompt', durationMs: null });
      expect(test.call.state).toBe('queued');
      expect(test.steps().map((step) => step.do)).toEqual(['take', 'ring', 'answer', 'play']);
      test.settle(order, { kind: 'prepare_prompt', durationMs: 1500 });
      expect(test.steps()).toEqual([]);
    },
  );

  it('an arriving call prepares a prompt again whose audio was not found, once, with a tone for an answered caller', () => {
    const test = inbound({ type: 'transfer', prompt: prompt('welcome'), employeeIds: [ada.id] });
    const fail = () => {
      const { phase } = test.call;
      if (phase.kind === 'prompt')
        test.apply({ type: 'playback_finished', legId: 'leg-customer', playId: phase.playId, played: false });
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

  it('an arriving call outside business hours publishes an event', () => {
    expect(inbound(voicemail, { outside: true }).eventTypes).toEqual(['initiated', 'outside_business_hours']);
  });

  it('an arriving call that is rejected plays the message, ends and is lost', () => {
    const test = inbound(rejection);
    expect(test.call.state).toBe('playing_audio');
    test.finishPlayback();
    expect(test.steps().at(-1)).toMatchObject({ do: 'hang_up', legId: 'leg-customer' });
    test.hangUp();
    expect(test.call).toMatchObject({ state: 'ended', durationSecs: null, answeredAt: null });
    expect(test.eventTypes).toEqual(['initiated', 'ended', 'lost']);
  });

  it.each(['prompt', 'menu', 'waiting', 'greeting', 'message'])(
    'an arriving call whose caller hangs up in %s is lost once',
    (kind) => {
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
      expect(test.eventTypes.filter((type) => type !== 'queued')).toEqual(['initiated', 'ended', 'lost']);
      expect(test.timers.size).toBe(0);
    },
  );
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
    test.apply({ type: 'digit', legId: 'leg-customer', digit });
    return test;
  };

  it.each([
    ['1', 'queued', 'waiting'],
    ['2', 'initiated', 'prompt'],
    ['3', 'playing_audio', 'greeting'],
    ['4', 'playing_audio', 'message'],
  ])('key %s of a menu leads to %s', (digit, state, kind) => {
    expect(press(digit).call).toMatchObject({ state, phase: { kind } });
  });

  it('a menu is played four times at most, then the call ends', () => {
    const test = inbound(menu);
    for (const key of ['9', '0', '*']) press(key, test);
    expect(test.call.phase).toMatchObject({ kind: 'menu', plays: 4 });
    press('8', test);
    expect(test.call.phase.kind).toBe('hanging_up');
    test.hangUp();
    expect(test.eventTypes).toEqual(['initiated', 'ended', 'lost']);
  });

  it('a menu counts ten seconds without a key as a wrong key', () => {
    const test = inbound(menu);
    test.finishPlayback();
    test.pass(9);
    expect(test.call.phase).toMatchObject({ plays: 1 });
    test.pass(1);
    expect(test.call.phase).toMatchObject({ kind: 'menu', plays: 2 });
  });

  it('a menu ignores keys that another phone presses', () => {
    const test = inbound(menu);
    test.apply({ type: 'digit', legId: 'other', digit: '1' });
    expect(test.call.phase.kind).toBe('menu');
  });
});

describe('an unanswered call', () => {
  it('an unanswered call runs the fallback once, whose own transfer waits without a timer', () => {
    const test = inbound(transfer(ada), { noAnswer: { timeoutSecs: 15, flow: transfer(bob) } });
    test.pass(15);
    expect(test.call).toMatchObject({ state: 'queued', waitingFor: [bob.id], noAnswer: null });
    expect(test.timers.has('no_answer')).toBe(false);
    test.pass(7200);
    expect(test.call).toMatchObject({ state: 'queued', waitingFor: [bob.id] });
    expect(test.eventTypes.filter((type) => type === 'queued')).toHaveLength(1);
  });

  it('the caller of an unanswered call is in the queue, not being transferred, while the no-answer flow plays', () => {
    const flow: CallFlow = { type: 'menu', prompt: prompt('choose'), options: [{ digit: '1', flow: rejection }] };
    const test = inbound(transfer(ada), { noAnswer: { timeoutSecs: 15, flow } });
    test.ring(ada);
    test.pass(15);
    expect(test.call).toMatchObject({ state: 'queued', phase: { kind: 'menu' } });
    test.apply({ type: 'digit', legId: 'leg-customer', digit: '1' });
    expect(test.call).toMatchObject({ state: 'playing_audio', phase: { kind: 'message' } });
  });

  it('the caller of an unanswered call without a timer waits', () => {
    const test = inbound(transfer(ada));
    test.pass(7200);
    expect(test.call.state).toBe('queued');
  });

  it('an unanswered call stops the timer once an employee has answered', () => {
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

  it('a voicemail is saved when the caller hangs up; the call is missed but not lost', () => {
    const test = recording();
    test.pass(8);
    test.apply({ ...stopped, durationMs: 7000 });
    test.hangUp();
    expect(test.call).toMatchObject({ state: 'ended', durationSecs: null, voicemailId: expect.stringMatching(/^vm_/) });
    expect(test.eventTypes).toEqual(['initiated', 'ended']);
    expect(test.commands.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['save_voicemail', 'upload_recording']),
    );
  });

  it('a voicemail of silence is no voicemail', () => {
    const test = recording();
    test.apply({ ...stopped, durationMs: 400 });
    test.hangUp();
    expect(test.call.voicemailId).toBeNull();
    expect(test.eventTypes).toEqual(['initiated', 'ended', 'lost']);
  });

  it.each(['#', 'the limit'])('a voicemail ends with %s', (end) => {
    const test = recording();
    test.steps();
    if (end === '#') test.apply({ type: 'digit', legId: 'leg-customer', digit: '#' });
    else test.pass(180);
    expect(test.steps()).toEqual([{ do: 'stop_audio', legId: 'leg-customer' }]);
    test.apply({ ...stopped, durationMs: 5000 });
    expect(test.steps()).toMatchObject([{ do: 'hang_up', legId: 'leg-customer' }]);
    expect(test.call.voicemailId).not.toBeNull();
  });

  describe('whose end was not seen', () => {
    const unseen = () => {
      const test = recording();
      test.pass(20);
      test.reconcile([]);
      expect(test.call).toMatchObject({ state: 'ended', voicemailId: null });
      expect(test.eventTypes).toEqual(['initiated', 'ended']);
      expect(test.commands.at(-1)).toEqual({ kind: 'upload_recording', recording: 'cal_1-1' });
      return test;
    };
    const upload = { kind: 'upload_recording', recording: 'cal_1-1' } as const;
    const stored = { type: 'recording_stored', recording: 'cal_1-1', sizeBytes: 1, contentHash: 'a1' } as const;

    it('a voicemail whose end was not seen is saved once its audio has been fetched', () => {
      const test = unseen();
      test.apply({ ...stored, durationMs: 9000 });
      expect(test.call.voicemailId).toMatch(/^vm_/);
      test.pass(7200);
      expect(test.call.voicemailId).toMatch(/^vm_/);
      expect(test.eventTypes).toEqual(['initiated', 'ended']);
    });

    it('a voicemail whose end was not seen is saved at once when the report of its end comes late', () => {
      const test = unseen();
      test.apply({ ...stopped, durationMs: 9000 });
      expect(test.commands.at(-1)?.kind).toBe('save_voicemail');
    });

    it.each<[string, (test: ReturnType<typeof unseen>) => void]>([
      ['there is no file', (test) => test.settle(upload, { kind: 'upload_recording', outcome: 'missing' })],
      ['the file has no message', (test) => test.apply({ ...stored, durationMs: 200 })],
      ['nothing comes in time', (test) => test.pass(601)],
    ])('a voicemail whose end was not seen is no voicemail when %s, and the call is lost', (_name, end) => {
      const test = unseen();
      end(test);
      expect(test.call).toMatchObject({ voicemailId: null, awaitedVoicemail: null });
      expect(test.eventTypes).toEqual(['initiated', 'ended', 'lost']);
      expect(test.commands.some(({ kind }) => kind === 'save_voicemail')).toBe(false);
    });

    it('a voicemail whose end was not seen is not made of audio that comes after the call was lost', () => {
      const test = unseen();
      test.pass(601);
      test.apply({ ...stored, durationMs: 9000 });
      expect(test.call).toMatchObject({ voicemailId: null, recordings: [{ isDeleted: true }] });
    });
  });

  it('a voicemail that could not be recorded is no voicemail', () => {
    const test = recording();
    test.pass(8);
    const order = test.commands.findLast(({ kind }) => kind === 'record')!;
    const refused = { step: 0, reason: '-ERR invalid session id', noSuchLeg: true };
    test.settle(order, { kind: 'control', failures: [refused] });
    expect(test.eventTypes).toEqual(['initiated', 'ended', 'lost']);
    expect(test.what).not.toContain('voicemail_left');
  });

  it.each<[string, (test: TestCall) => void]>([
    [
      'there is no file',
      (test) =>
        test.settle(
          { kind: 'upload_recording', recording: 'cal_1-1' },
          { kind: 'upload_recording', outcome: 'missing' },
        ),
    ],
    ['its audio never comes', (test) => test.pass(3601)],
  ])('a voicemail is withdrawn when %s, and the call is lost', (_name, end) => {
    const test = recording();
    test.apply({ ...stopped, durationMs: 7000 });
    test.hangUp();
    const { voicemailId } = test.call;
    end(test);
    expect(test.call.voicemailId).toBeNull();
    expect(test.commands).toContainEqual({ kind: 'withdraw_voicemail', voicemailId });
    expect(test.eventTypes).toEqual(['initiated', 'ended', 'lost']);
  });

  it('a voicemail of a switch that was killed is saved when the switch has its file', () => {
    const test = recording();
    test.pass(8);
    test.apply({ type: 'switch_restarted' });
    expect(test.eventTypes).toEqual(['initiated', 'ended']);
    test.apply({ type: 'recording_stored', recording: 'cal_1-1', sizeBytes: 1, contentHash: 'a1', durationMs: 8000 });
    expect(test.call.voicemailId).toMatch(/^vm_/);
  });
});

describe('a command to a leg that the switch does not have', () => {
  const failures = [{ step: 0, reason: '-ERR No such channel!', noSuchLeg: true }];

  it.each(['stop_audio', 'answer', 'take', 'hang_up'] as const)(
    'a command to a leg that the switch does not have ends the leg: %s',
    (step) => {
      const test = inbound(transfer(ada));
      const steps = [{ do: step, legId: 'leg-customer', cause: 'NORMAL_CLEARING' } as ControlStep];
      test.settle({ kind: 'control', steps }, { kind: 'control', failures });
      expect(test.call.state).toBe('ended');
    },
  );

  it('a command to two legs, one of which the switch does not have, asks which one is missing', () => {
    const test = inConversation();
    const steps = [{ do: 'bridge', legId: 'leg-customer', peerId: test.adaLeg } as const];
    test.settle({ kind: 'control', steps }, { kind: 'control', failures });
    const check = { kind: 'check_legs', legIds: ['leg-customer', test.adaLeg] } as const;
    expect(test.commands.at(-1)).toEqual(check);
    test.settle(check, { kind: 'check_legs', existing: [test.adaLeg] });
    expect(test.call.state).toBe('ended');
    expect(test.steps()).toMatchObject([{ do: 'hang_up', legId: test.adaLeg }]);
  });
});

it('a call of a company that is suspended ends for everybody', () => {
  const test = inConversation();
  test.apply({ type: 'company_suspended' });
  expect(test.call.legs.every(({ hangingUp }) => hangingUp)).toBe(true);
  test.hangUp();
  expect(test.call.state).toBe('ended');
});

describe('a call of four hours', () => {
  const HOURS = 3600;

  it('a call of four hours ends, whoever placed it', () => {
    const test = inbound(transfer(ada));
    const legId = test.ring(ada);
    test.answer(legId);
    test.bridged(legId);
    test.pass(4 * HOURS - 1);
    expect(test.call.state).toBe('bridged');
    test.steps();
    test.pass(1);
    expect(test.steps()).toEqual([
      { do: 'hang_up', legId: 'leg-customer', cause: 'ALLOTTED_TIMEOUT' },
      { do: 'hang_up', legId, cause: 'ALLOTTED_TIMEOUT' },
    ]);
    test.hangUp(legId, 'ALLOTTED_TIMEOUT');
    test.hangUp('leg-customer', 'ALLOTTED_TIMEOUT');
    expect(test.call).toMatchObject({ state: 'ended', durationSecs: 4 * HOURS });
    expect(test.what).toContain('max_length');
    expect(test.timers.size).toBe(0);
  });

  it('a call of four hours ends also while it waits or is placed', () => {
    const waiting = inbound(transfer(ada));
    waiting.pass(4 * HOURS);
    expect(waiting.call.phase.kind).toBe('hanging_up');
    const placed = outbound();
    placed.pass(4 * HOURS);
    expect(placed.call.phase.kind).toBe('hanging_up');
    placed.hangUp(placed.call.customerLegId, 'ALLOTTED_TIMEOUT');
    expect(placed.call.state).toBe('ended');
  });
});
