import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CallInput } from '../model/call-input.ts';
import { ada, requested } from '../../../test/test-call.ts';

const kinds = (test: ReturnType<typeof requested>) => test.commands.map(({ kind }) => kind);

/** Ada has answered, and the other side is dialled. */
function dialing() {
  const test = requested();
  const adaLeg = test.ringPhone(ada.id);
  test.answer(adaLeg);
  return { test, adaLeg, remote: test.call.customerLegId };
}

describe('a requested call', () => {
  it('a requested call rings the phones of the employee, and nobody else', () => {
    const test = requested();
    expect(test.call).toMatchObject({
      state: 'initiated',
      phase: { kind: 'calling_employee' },
      offeredTo: [ada.id],
      activeFor: [],
      initiatedBy: ada,
      employees: [ada],
    });
    expect(kinds(test)).toEqual(['ring']);
    expect(test.commands[0]).toMatchObject({ employeeId: ada.id, timeoutSecs: 35, room: null });
    expect(test.eventTypes).toEqual(['initiated']);
  });

  it('a requested call dials the other side when a phone answers, and connects both', () => {
    const { test, adaLeg, remote } = dialing();
    expect(test.call).toMatchObject({ state: 'initiated', offeredTo: [], activeFor: [ada.id] });
    expect(kinds(test).filter((kind) => kind !== 'control')).toEqual([
      'ring',
      'start_conversation',
      'release_offer',
      'dial',
    ]);
    expect(test.steps().at(-1)).toMatchObject({ do: 'play', legId: adaLeg, audio: { kind: 'ringtone' } });
    expect(test.timers.has('employee_ring')).toBe(false);
    test.settle(
      test.commands.findLast(({ kind }) => kind === 'dial')!,
      { kind: 'dial', refused: null },
    );
    test.answer(remote);
    expect(test.steps().map(({ do: step }) => step)).toEqual(['start_recording', 'bridge']);
    test.apply({ type: 'leg_bridged', legId: adaLeg, peerId: remote });
    expect(test.call.state).toBe('bridged');
    test.hangUp(remote);
    expect(test.eventTypes).toEqual(['initiated', 'answered', 'ended']);
  });

  it('a requested call ends when the employee answers another call before the other side has answered', () => {
    const { test, adaLeg, remote } = dialing();
    test.apply({ type: 'hold_for_other_call', actorId: 'emp_other' });
    expect(test.call.phase.kind).toBe('dialing');
    test.apply({ type: 'hold_for_other_call', actorId: ada.id });
    for (const legId of [adaLeg, remote]) {
      expect(test.call.legs.find(({ id }) => id === legId)).toMatchObject({ hangingUp: true });
      test.hangUp(legId);
    }
    expect(test.call).toMatchObject({ state: 'ended', legs: [], activeFor: [] });
  });

  it('a requested call is held as soon as it is connected when the employee answers another call meanwhile', () => {
    const { test, adaLeg, remote } = dialing();
    test.apply({ type: 'leg_answered', legId: remote });
    test.apply({ type: 'hold_for_other_call', actorId: ada.id });
    test.apply({ type: 'leg_parked', legId: remote, arrival: null });
    test.apply({ type: 'leg_bridged', legId: adaLeg, peerId: remote });
    expect(test.call.hold).toEqual({ isWanted: true, status: 'parking' });
    expect(test.steps().at(-1)).toEqual({ do: 'park', legId: remote });
  });

  it.each<[string, (test: ReturnType<typeof requested>) => void]>([
    ['is not answered for 30 seconds', (test) => test.pass(31)],
    ['is declined', (test) => test.hangUp(test.ringPhone(ada.id), 'CALL_REJECTED')],
    ['is withdrawn', (test) => test.apply({ type: 'withdraw_offer', employeeId: ada.id })],
    ['is for an employee who is removed', (test) => test.apply({ type: 'employee_removed', employeeId: ada.id })],
    ['loses its switch', (test) => test.apply({ type: 'switch_restarted' })],
    [
      'finds no phone',
      (test) =>
        test.settle(
          test.commands.find(({ kind }) => kind === 'ring')!,
          { kind: 'ring', rung: [] },
        ),
    ],
  ])('a requested call that %s ends, releases the employee and dials nobody', (_, happen) => {
    const test = requested();
    happen(test);
    expect(test.call).toMatchObject({ state: 'ended', answeredAt: null, offeredTo: [] });
    expect(kinds(test).filter((kind) => kind === 'release_offer')).toHaveLength(1);
    expect(kinds(test)).not.toContain('dial');
    expect(test.eventTypes).toEqual(['initiated', 'ended']);
    expect(test.call.legs.every(({ hangingUp }) => hangingUp)).toBe(true);
    expect([...test.timers.keys()]).toEqual([]);
  });

  it('a requested call ends when the employee hangs up before the other side answers', () => {
    const { test, adaLeg, remote } = dialing();
    test.settle(
      test.commands.findLast(({ kind }) => kind === 'dial')!,
      { kind: 'dial', refused: null },
    );
    test.hangUp(adaLeg);
    expect(test.steps().at(-1)).toEqual({ do: 'hang_up', legId: remote, cause: 'ORIGINATOR_CANCEL' });
    test.hangUp(remote);
    expect(test.call.state).toBe('ended');
  });

  it('a requested call ends once in every interleaving, without a leg, and the employee is free', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(10_000), { maxLength: 30 }), (choices) => {
        const test = requested(2);
        let settled = 0;
        const settle = () => {
          const command = test.commands[settled];
          if (!command) return;
          settled += 1;
          if (command.kind === 'ring') test.settle(command, { kind: 'ring', rung: command.legIds.slice(0, 2) });
          else if (command.kind === 'dial') test.settle(command, { kind: 'dial', refused: null });
        };
        for (const choice of choices) {
          const legs = test.call.legs.map(({ id }) => id);
          const legId = legs[choice % Math.max(legs.length, 1)] ?? 'leg-none';
          const inputs: readonly CallInput[] = [
            { type: 'leg_answered', legId },
            { type: 'leg_parked', legId, arrival: null },
            { type: 'leg_ended', legId, cause: choice % 2 === 0 ? 'NORMAL_CLEARING' : 'GATEWAY_DOWN' },
            { type: 'originate_failed', legId, cause: 'USER_BUSY' },
            { type: 'withdraw_offer', employeeId: ada.id },
            { type: 'hold', actorId: ada.id, on: choice % 2 === 0 },
          ];
          const doings = [...inputs.map((input) => () => test.apply(input)), settle, settle, () => test.pass(20)];
          doings[choice % doings.length]!();
        }
        for (let rounds = 0; rounds < 20 && test.call.legs.length > 0; rounds++) {
          while (settled < test.commands.length) settle();
          for (const { id, hangingUp } of test.call.legs) if (hangingUp || rounds > 0) test.hangUp(id);
        }
        expect(test.call).toMatchObject({ state: 'ended', legs: [], activeFor: [], offeredTo: [] });
        expect(test.eventTypes.filter((type) => type === 'ended')).toHaveLength(1);
        const taken = kinds(test).filter((kind) => kind === 'start_conversation').length;
        expect(kinds(test).filter((kind) => kind === 'end_conversation')).toHaveLength(taken);
        expect(kinds(test).filter((kind) => kind === 'release_offer')).toHaveLength(1);
        expect(kinds(test).filter((kind) => kind === 'dial').length).toBeLessThanOrEqual(2);
      }),
      { numRuns: 3000 },
    );
  });
});

it('a requested call to an emergency number is reported once the employee has answered and it is dialled', () => {
  const placed = 'call-control.emergency_call.placed';
  const typesOf = ({ events }: { events: readonly { type: string }[] }) => events.map(({ type }) => type);
  const test = requested(1, { address: 'Main Street 1' });
  const legId = test.ringPhone(ada.id);
  expect(typesOf(test)).not.toContain(placed);
  test.answer(legId);
  expect(typesOf(test).filter((type) => type === placed)).toHaveLength(1);
  const unanswered = requested(1, { address: 'Main Street 1' });
  unanswered.hangUp(unanswered.ringPhone(ada.id), 'NO_ANSWER');
  unanswered.pass(40);
  expect(typesOf(unanswered)).not.toContain(placed);
});
