import { describe, expect, it } from '@jest/globals';
import { eventTypes, isEventName, matchingEventName } from './event-types.ts';

describe('event names', () => {
  it.each([...eventTypes, 'call.outside_opening_hours'])('include %s', (name) => {
    expect(isEventName(name)).toBe(true);
  });

  it.each(['', '*', 'call', 'call.*', 'Call.Ended', 'call.ended ', 'webhook.test', 'toString', '__proto__'])(
    'event names do not include %j',
    (name) => {
      expect(isEventName(name)).toBe(false);
    },
  );

  it.each([
    [['call.ended'], 'call.ended', 'call.ended'],
    [['call.lost'], 'call.ended', null],
    [[], 'call.ended', null],
    [['call.outside_business_hours'], 'call.outside_business_hours', 'call.outside_business_hours'],
    [['call.outside_opening_hours'], 'call.outside_business_hours', 'call.outside_opening_hours'],
    [
      ['call.outside_opening_hours', 'call.outside_business_hours'],
      'call.outside_business_hours',
      'call.outside_business_hours',
    ],
  ] as const)('subscribed as %j: %s is delivered as %s', (names, type, expected) => {
    expect(matchingEventName(names, type)).toBe(expected);
  });
});
