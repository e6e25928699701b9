import { describe, expect, it } from '@jest/globals';
import { consequenceText, errorText, spendText, stateText, testText } from './model-texts.ts';

const spend = { month: '2026-11', amount: '1.25', currency: 'EUR', input_tokens: 1500, output_tokens: 20 };
const endpoint = {
  url: 'https://models.example/v1',
  model: 'small',
  api_key_set: true,
  prices: null,
  monthly_spend_limit: null,
  spend,
  state: 'ok' as const,
  last_error: null,
};
const works = { ok: true, first_token_ms: 1200, streams: true, calls_tools: true, error: null };

describe('a language model in words', () => {
  it('a language model in words says what was spent, and of how much', () => {
    expect(spendText(endpoint)).toBe('€1.25 · 1,500 tokens in, 20 tokens out');
    expect(spendText({ ...endpoint, monthly_spend_limit: '20' })).toMatch(/^€1.25 of €20.00 · /);
    expect(spendText({ ...endpoint, spend: { ...spend, amount: null, currency: null } })).toBe(
      '1,500 tokens in, 20 tokens out',
    );
  });

  it.each([
    [works, 'It works: first word after 1,200 ms.'],
    [{ ...works, first_token_ms: null }, 'It works.'],
    [{ ...works, streams: false }, expect.stringContaining('does not stream')],
    [{ ...works, ok: false, error: 'unauthorized' as const }, 'The key was not accepted.'],
  ])('a language model in words says how a test went: %j', (test, text) => {
    expect(testText(test)).toEqual(text);
  });

  it('a language model in words has a state, what follows from it, and its last error', () => {
    expect(stateText('failing')).toEqual(['bad', 'Fails']);
    expect(consequenceText('ok')).toBeUndefined();
    expect(consequenceText('limit_reached')).toContain('Raise the limit');
    expect(errorText('broken_stream')).toBe('Its answer broke off.');
    expect(errorText('a_later_reason')).toBe('a_later_reason');
  });
});
