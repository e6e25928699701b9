import { createEgress } from '@parley/egress';
import type { ServiceContext } from '../service-context.ts';
import type { SmsProvider } from './provider.ts';
import { telnyxProvider } from './telnyx.ts';

/** Requests to the provider that one process has open at once. */
export const PROVIDER_REQUESTS_MAX = 64;

/** An installation without an SMS provider: texts fail before they are sent, and no callback is authentic. */
const noProvider: SmsProvider = {
  submit: async () => ({ outcome: 'failed', failureCode: 'sending_unavailable', providerId: null }),
  isAuthentic: () => false,
  readCallback: () => undefined,
};

export function openProvider({ config, lifecycle, telemetry }: ServiceContext): SmsProvider {
  const { TELNYX_API_KEY: apiKey, TELNYX_PUBLIC_KEY: publicKeys, SANDBOX_URL: sandboxUrl } = config;
  if (apiKey === undefined || publicKeys === undefined) return noProvider;
  const egress = createEgress({
    allowedOrigins: sandboxUrl ? [sandboxUrl] : [],
    maxSocketsPerOrigin: PROVIDER_REQUESTS_MAX,
  });
  lifecycle.defer('egress', () => egress.close());
  return telnyxProvider({
    egress,
    apiUrl: config.TELNYX_API_URL,
    apiKey,
    publicKeys,
    publicUrl: config.PUBLIC_URL,
    timeoutMs: config.TELNYX_TIMEOUT_MS,
    log: telemetry.log,
  });
}
