import { describe, expect, it } from '@jest/globals';
import { eventOptions, eventsText } from './event-types.ts';

describe('the events of a webhook', () => {
  it('the events of a webhook include what it receives under a former name', () => {
    const values = eventOptions(['call.ended', 'call.outside_opening_hours']).map(({ value }) => value);
    expect(values).toContain('call.outside_opening_hours');
    expect(values.filter((value) => value === 'call.ended')).toHaveLength(1);
    expect(eventOptions([])).toHaveLength(values.length - 1);
  });

  it('the events of a webhook are a few by name in a list', () => {
    expect(eventsText(['a', 'b', 'c'])).toBe('a, b, c');
    expect(eventsText(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c and 2 more');
  });
});
