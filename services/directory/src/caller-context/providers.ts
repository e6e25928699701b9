import type { IntegrationKind } from '../integrations/integration.ts';
import { customEndpoint } from './custom-endpoint.ts';
import { economic } from './economic.ts';
import type { Provider } from './provider.ts';
import { shopify } from './shopify.ts';

/** The adapter of each kind of system. */
export const providers: Record<IntegrationKind, Provider> = {
  custom_endpoint: customEndpoint,
  ecommerce: shopify,
  accounting: economic,
};
