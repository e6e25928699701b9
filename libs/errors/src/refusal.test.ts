import { describe, expect, it } from '@jest/globals';
import { decided, refused, dueIn } from './decision.ts';
import { invalid, kindOf, notFound, Refused, refusal, refusalCodes } from './refusal.ts';

describe('a refusal', () => {
  it('a refusal has a code, a sentence, and what else the answer shows', () => {
    expect(refusal('employee_in_use', 'the employee is a call target', { extra: { main_numbers: ['Sales'] } })).toEqual(
      {
        code: 'employee_in_use',
        message: 'the employee is a call target',
        extra: { main_numbers: ['Sales'] },
      },
    );
  });

  it('a refusal of fields has the first of them in its sentence', () => {
    expect(invalid({ phone: ['has already been taken'], name: ['is too long'] })).toEqual({
      code: 'validation_failed',
      message: 'phone has already been taken',
      fields: { phone: ['has already been taken'], name: ['is too long'] },
    });
  });

  it('a refusal of fields has a sentence even without messages', () => {
    expect(invalid({ phone: [] }).message).toBe('phone is invalid');
    expect(invalid({}).message).toBe('is invalid');
  });

  it('a refusal has a kind for every code', () => {
    expect(Object.keys(refusalCodes).map((code) => kindOf(code as keyof typeof refusalCodes))).toEqual(
      Object.values(refusalCodes),
    );
    expect(kindOf('not_found')).toBe('missing');
  });

  it('a refusal can be thrown and caught', () => {
    const thrown = new Refused(notFound);
    expect(thrown).toBeInstanceOf(Error);
    expect(thrown).toMatchObject({ name: 'Refused', message: 'not_found: not_found', refusal: notFound });
  });
});

describe('a decision', () => {
  it('a decision is a new state with its events, commands and timers', () => {
    const timers = { reminder: dueIn(new Date(0), 5) };
    expect(decided({ name: 'Ada' }, ['renamed'], { commands: ['greet'], timers })).toEqual({
      ok: true,
      state: { name: 'Ada' },
      events: ['renamed'],
      commands: ['greet'],
      timers: { reminder: { at: new Date(5), waitMs: 5 } },
    });
    expect(decided({ name: 'Ada' })).toMatchObject({ events: [], commands: [], timers: {} });
  });

  it('a decision can be a refusal', () => {
    expect(refused(notFound)).toEqual({ ok: false, refusal: notFound });
  });
});
