import { describe, expect, it } from '@jest/globals';
import { decimalOf, readMillionths } from './decimal.ts';
import { addUsage, amountIn, costOf, type EndpointSpend, isLimitReached, monthOf, noSpend } from './endpoint-spend.ts';

const prices = { currency: 'EUR', inputPerMillion: '0.15', outputPerMillion: '0.6' };
const endpoint = { prices, monthlySpendLimit: '1.5' };
const empty = noSpend('com_1/2026-03', 'com_1', '2026-03');
const add = (
  spend: EndpointSpend,
  inputTokens: number,
  outputTokens = 0,
  of: Parameters<typeof addUsage>[2] = endpoint,
) => {
  const decision = addUsage(spend, { inputTokens, outputTokens }, of);
  if (!decision.ok) throw new Error('refused');
  return decision;
};

describe('an amount', () => {
  it.each([
    ['0', 0n],
    ['12', 12_000_000n],
    ['0.15', 150_000n],
    ['0.000001', 1n],
    ['999999999.999999', 999_999_999_999_999n],
  ])('the amount %j is read exactly', (text, expected) => expect(readMillionths(text)).toBe(expected));

  it.each(['', ' 1', '-1', '+1', '1,5', '1.', '.5', '0.0000001', '1000000000', '1e2', 'NaN'])(
    'the text %j is no amount',
    (text) => expect(readMillionths(text)).toBeUndefined(),
  );

  it.each([
    [0n, '0'],
    [1n, '0.000000000001'],
    [1_500_000_000_000n, '1.5'],
    [20_000_000_000_000n, '20'],
  ])('an exact amount of %s is written as %s', (exact, text) => expect(decimalOf(exact)).toBe(text));
});

describe('a spend', () => {
  it('a spend adds what tokens cost without rounding', () => {
    expect(decimalOf(costOf({ inputTokens: 1, outputTokens: 3 }, prices))).toBe('0.00000195');
    let spend = empty;
    for (let turn = 0; turn < 1000; turn += 1) spend = add(spend, 1, 3).state;
    expect(amountIn(spend, prices)).toBe('0.00195');
    expect(spend.company).toEqual({ inputTokens: 1000, outputTokens: 3000 });
  });

  it('a spend is told once, when 80 % of the limit are used', () => {
    const before = add(empty, 7_999_999);
    expect(before.events).toEqual([]);
    const near = add(before.state, 1);
    expect(near.events).toEqual([
      { type: 'assistant.endpoint.spend_limit_near', month: '2026-03', limit: '1.5', currency: 'EUR' },
    ]);
    expect(add(near.state, 1_000_000).events).toEqual([]);
  });

  it('a limit is reached by an amount of exactly that', () => {
    expect(isLimitReached(undefined, endpoint)).toBe(false);
    expect(isLimitReached(add(empty, 9_999_999).state, endpoint)).toBe(false);
    expect(isLimitReached(add(empty, 10_000_000).state, endpoint)).toBe(true);
    expect(isLimitReached(add(empty, 10_000_000).state, { prices, monthlySpendLimit: null })).toBe(false);
  });

  it('a spend in another currency counts by itself', () => {
    const dollars = { prices: { ...prices, currency: 'USD' }, monthlySpendLimit: '1.5' };
    const spend = add(add(empty, 10_000_000).state, 2, 0, dollars).state;
    expect(amountIn(spend, prices)).toBe('1.5');
    expect(amountIn(spend, dollars.prices)).toBe('0.0000003');
    expect(isLimitReached(spend, dollars)).toBe(false);
  });

  it('tokens without prices, and those of the operator’s model, are counted and cost nothing', () => {
    const free = add(empty, 5, 6, { prices: null, monthlySpendLimit: null }).state;
    const decision = addUsage(free, { inputTokens: 1, outputTokens: 2 }, undefined);
    const state = decision.ok ? decision.state : free;
    expect(state).toMatchObject({
      company: { inputTokens: 5, outputTokens: 6 },
      operator: { inputTokens: 1, outputTokens: 2 },
      amounts: {},
    });
    expect(amountIn(state, null)).toBeNull();
  });

  it('a month is the one of UTC', () => expect(monthOf(new Date('2026-03-31T23:30:00-02:00'))).toBe('2026-04'));
});
