import { describe, expect, it } from '@jest/globals';
import { modelBody, modelValues } from './model-form.ts';

const typedIn = (values: Record<string, string>) => (name: string) => values[name] ?? '';
const address = { url: 'https://models.example/v1', model: 'small' };

describe('the form of a language model', () => {
  it('the form of a language model keeps everything of a saved one, and its key by sending none', () => {
    const prices = { currency: 'EUR', input_per_million: '0.15', output_per_million: '0.6' };
    const saved = {
      ...address,
      prices,
      monthly_spend_limit: '20',
      api_key_set: true,
      spend: { month: '2026-11', amount: '0', currency: 'EUR', input_tokens: 0, output_tokens: 0 },
      state: 'ok' as const,
      last_error: null,
    };
    expect(modelBody(typedIn(modelValues(saved)), '')).toEqual({ ...address, prices, monthly_spend_limit: '20' });
  });

  it('the form of a language model sends a key that was typed, or removes the stored one', () => {
    expect(modelBody(typedIn(address), 'sk-1')).toMatchObject({ api_key: 'sk-1' });
    expect(modelBody(typedIn(address), null)).toMatchObject({ api_key: null });
    expect('api_key' in modelBody(typedIn(address), '')).toBe(false);
  });

  it('the form of a language model has prices once one of them is typed', () => {
    expect(modelBody(typedIn({ ...address, currency: 'eur' }), '').prices).toBeNull();
    expect(modelBody(typedIn({ ...address, currency: 'eur', input_price: '1' }), '').prices).toEqual({
      currency: 'EUR',
      input_per_million: '1',
      output_per_million: '',
    });
  });
});
