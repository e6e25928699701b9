import { IntegrationKind } from '@parley/proto/directory/v1/integrations_pb';
import { z } from 'zod';

/** The kinds of systems by the names they have in addresses. Any other names nothing. */
export const integrationKinds = {
  custom_endpoint: IntegrationKind.CUSTOM_ENDPOINT,
  ecommerce: IntegrationKind.ECOMMERCE,
  accounting: IntegrationKind.ACCOUNTING,
};

export const integrationParams = z.object({
  id: z.string(),
  kind: z.enum(['custom_endpoint', 'ecommerce', 'accounting']),
});
