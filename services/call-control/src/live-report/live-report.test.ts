import { describe, expect, it } from '@jest/globals';
import { assisted, startTransfer } from '../../test/test-assisted-call.ts';
import { ada, bob, inbound, transfer } from '../../test/test-call.ts';
import { newPresence, type EmployeePresence } from '../presence/presence.ts';
import { liveEmployees, liveNumbers } from './live-report.ts';

const now = new Date('2026-03-02T10:05:00Z');

function waiting(id: string, waitingSecs: number, numberId = 'num_1') {
  const { call } = inbound(transfer(ada));
  return {
    ...call,
    id,
    queuedAt: new Date(now.getTime() - waitingSecs * 1000),
    number: { ...call.number, id: numberId },
  };
}

function talking(id: string) {
  const test = inbound(transfer(ada));
  test.answer(test.ring(ada));
  return { ...test.call, id };
}

function ringing(id: string) {
  const test = inbound(transfer(ada));
  test.ring(ada);
  return { ...test.call, id };
}

const presence = (
  employee: { id: string; name: string },
  fields: Partial<EmployeePresence> = {},
): EmployeePresence => ({
  ...newPresence(
    { id: employee.id, companyId: 'com_1' },
    {
      name: employee.name,
      email: '',
      phone: null,
      invitationPending: false,
      emailConfirmationPending: false,
      callWaiting: false,
      createdAt: now,
      updatedAt: now,
      revision: 1,
    },
  ),
  ...fields,
});

describe('the open calls of numbers', () => {
  it('the open calls of numbers wait in their order, ring or are conversations, each once', () => {
    const calls = [waiting('second', 9), waiting('first', 70), waiting('other', 1, 'num_2'), talking('talk')];
    const numbers = liveNumbers([...calls, { ...ringing('ring'), queuedAt: new Date(now.getTime() - 90_000) }], now);
    expect(numbers.find(({ numberId }) => numberId === 'num_1')).toEqual({
      numberId: 'num_1',
      waiting: [
        { callId: 'first', from: calls[0]!.from, position: 2, waitingSecs: 70 },
        { callId: 'second', from: calls[0]!.from, position: 3, waitingSecs: 9 },
      ],
      ringing: 1,
      inConversation: 1,
      assisted: [],
    });
    expect(numbers.find(({ numberId }) => numberId === 'num_2')).toMatchObject({ ringing: 0, inConversation: 0 });
    expect(liveNumbers([], now)).toEqual([]);
  });
});

describe('the callers who talk with an assistant', () => {
  const session = (id: string, startedAt: string) => {
    const test = assisted();
    const since = new Date(startedAt);
    return Object.assign(test, {
      shown: () => ({ ...test.call, id, assistant: { ...test.call.assistant!, since } }),
    });
  };

  it('the callers who talk with an assistant are shown with it, the first one first, and do not wait', () => {
    const [later, first] = [session('later', '2026-03-02T10:03:00Z'), session('first', '2026-03-02T10:01:00Z')];
    expect(liveNumbers([later.shown(), first.shown()], now)).toMatchObject([
      {
        waiting: [],
        ringing: 0,
        inConversation: 0,
        assisted: [
          { callId: 'first', from: '+4520304050', assistantName: 'Robin', transferring: false },
          { callId: 'later', since: new Date('2026-03-02T10:03:00Z') },
        ],
      },
    ]);
  });

  it('the callers who talk with an assistant ring at employees while it transfers them, and are gone when it has left', () => {
    const test = session('one', '2026-03-02T10:03:00Z');
    startTransfer(test, [ada]);
    expect(liveNumbers([test.shown()], now)).toMatchObject([{ ringing: 1, assisted: [{ transferring: true }] }]);
    test.apply({ type: 'run_fallback', reason: 'requested' });
    expect(liveNumbers([test.shown()], now)).toMatchObject([{ ringing: 0, assisted: [] }]);
  });
});

describe('the calls of employees', () => {
  const call = talking('talk');

  it('the calls of employees began when the other side was answered, or the employee joined later', () => {
    const joined = new Date(call.answeredAt!.getTime() + 30_000);
    const [later] = liveEmployees([presence(ada, { status: 'on_call', statusSince: joined })], [call]);
    expect(later?.call).toMatchObject({ id: 'talk', remoteNumber: call.from, since: joined });
    const [before] = liveEmployees([presence(ada, { status: 'on_call', statusSince: new Date(0) })], [call]);
    expect(before?.call?.since).toEqual(call.answeredAt);
  });

  it('the calls of employees are those that are not on hold where there are several, and none while a phone rings', () => {
    const held = { ...talking('held'), hold: { isWanted: true } as never };
    const [own] = liveEmployees([presence(ada, { status: 'on_call' })], [held, call]);
    expect(own?.call?.id).toBe('talk');
    expect(liveEmployees([presence(ada, { status: 'ringing' })], [ringing('ring')])[0]?.call).toBeNull();
  });

  it('the calls of employees include the coworker who is consulted, not one whose phone rings', () => {
    const of = (state: 'ringing' | 'consulting') => {
      const transfers = [{ id: 'tra_1', state, from: ada, to: bob } as never];
      return liveEmployees([presence(bob)], [{ ...call, transfers }])[0]?.call?.id;
    };
    expect([of('ringing'), of('consulting')]).toEqual([undefined, 'talk']);
  });
});
