import type { AssistantEndpoint, paths } from '../../api/schema.d.ts';

type ModelBody = paths['/api/v1/assistant_endpoint']['put']['requestBody']['content']['application/json'];

/** Prices by which most models are sold. */
const CURRENCY = 'USD';

/** The fields of the form by what they begin with; the key is never shown. */
export function modelValues({ url, model, prices, monthly_spend_limit: limit }: AssistantEndpoint) {
  return {
    url: url ?? '',
    model: model ?? '',
    currency: prices?.currency ?? CURRENCY,
    input_price: prices?.input_per_million ?? '',
    output_price: prices?.output_per_million ?? '',
    monthly_spend_limit: limit ?? '',
  };
}

/** An empty key keeps the stored one, null removes it. Without any price there are none. */
export function modelBody(typed: (name: string) => string, key: string | null): ModelBody {
  const prices = {
    currency: typed('currency').toUpperCase(),
    input_per_million: typed('input_price'),
    output_per_million: typed('output_price'),
  };
  const hasPrices = prices.input_per_million !== '' || prices.output_per_million !== '';
  return {
    url: typed('url'),
    model: typed('model'),
    ...(key !== '' && { api_key: key }),
    prices: hasPrices ? prices : null,
    monthly_spend_limit: typed('monthly_spend_limit') || null,
  };
}
