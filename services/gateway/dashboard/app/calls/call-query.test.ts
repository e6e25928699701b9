import { describe, expect, it } from '@jest/globals';
import { callQuery } from './call-query.ts';

const queryOf = (filters: Record<string, string>) => callQuery((name) => filters[name] ?? '');

describe('the filters of calls', () => {
  it('the filters of calls are left out when empty or senseless', () => {
    expect(queryOf({})).toEqual({});
    expect(queryOf({ direction: 'sideways', from: 'yesterday', to: '2026-99-99' })).toEqual({});
  });

  it('the filters of calls are passed on', () => {
    expect(
      queryOf({ query: 'red bikes', direction: 'inbound', phone_number: '20304050', state: 'ended', tag: 'VIP' }),
    ).toEqual({
      query: 'red bikes',
      direction: 'inbound',
      phone_number: '20304050',
      state: 'ended',
      tag: 'VIP',
    });
  });

  it('the filters of calls include the whole of the first and the last day, where the reader is', () => {
    const query = queryOf({ from: '2026-03-01', to: '2026-03-02' });
    expect(query.started_after).toBe(new Date(2026, 2, 1).toISOString());
    expect(query.started_before).toBe(new Date(2026, 2, 2, 23, 59, 59, 999).toISOString());
  });
});
