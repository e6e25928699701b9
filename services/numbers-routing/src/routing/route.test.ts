import { describe, expect, it } from '@jest/globals';
import { testNumber } from '../../test/test-number.ts';
import { resolveRoute } from './route.ts';

const INSIDE = new Date('2026-01-05T12:00:00Z');
const OUTSIDE = new Date('2026-01-05T20:00:00Z');
const fallback = { type: 'RejectConfig', message: 'Nobody' } as const;

describe('a route', () => {
  it('a route is incoming_call_config within business hours', () => {
    expect(resolveRoute(testNumber(), INSIDE)).toMatchObject({
      slot: 'incoming_call_config',
      flow: { type: 'TransferConfig' },
      noAnswer: null,
    });
  });

  it('a route is outside_business_hours_config outside them', () => {
    expect(resolveRoute(testNumber(), OUTSIDE)).toMatchObject({
      slot: 'outside_business_hours_config',
      flow: { type: 'VoicemailConfig' },
    });
  });

  it('a route falls back to incoming_call_config where nothing is set for outside', () => {
    expect(resolveRoute(testNumber({ outsideBusinessHoursConfig: null }), OUTSIDE)).toMatchObject({
      slot: 'incoming_call_config',
      flow: { type: 'TransferConfig' },
    });
  });

  it.each([
    [fallback, 30, { timeoutSecs: 30, flow: fallback }],
    [fallback, null, null],
    [null, null, null],
    [null, 30, null],
  ])(
    'a route with the fallback %j and the timer %j has the no-answer plan %j',
    (noAnswerConfig, noAnswerTimeoutSecs, plan) => {
      expect(resolveRoute(testNumber({ noAnswerConfig, noAnswerTimeoutSecs }), INSIDE).noAnswer).toEqual(plan);
    },
  );

  it('a route has no flow while the number is inactive', () => {
    const number = testNumber({ active: false, noAnswerConfig: fallback, noAnswerTimeoutSecs: 30 });
    expect(resolveRoute(number, INSIDE)).toMatchObject({ flow: null, noAnswer: null });
  });
});
