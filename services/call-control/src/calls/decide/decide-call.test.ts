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
