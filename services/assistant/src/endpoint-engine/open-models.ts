import { createEgress } from '@parley/egress';
import type { Lifecycle } from '@parley/service';
import { type Config, egressPolicyFrom } from '../config.ts';
import { type ModelClient, modelClient } from './model-client.ts';

/** A session has one request at a time. */
const SOCKETS_PER_ORIGIN = 200;
/** A caller waits. */
const CONNECT_MS = 3_000;

/** The way to language models: companies' at public addresses only, the operator's own wherever it is. */
export function openModels(config: Config, lifecycle: Lifecycle): ModelClient {
  const policy = egressPolicyFrom(config);
  const common = { ...policy, maxSocketsPerOrigin: SOCKETS_PER_ORIGIN, connectTimeoutMs: CONNECT_MS };
  const { ASSISTANT_URL: ownUrl } = config;
  const own = ownUrl === undefined ? [] : [new URL(ownUrl).origin];
  const company = createEgress(common);
  const operator = createEgress({ ...common, allowedOrigins: [...(policy.allowedOrigins ?? []), ...own] });
  lifecycle.defer('language models', async () => void (await Promise.all([company.close(), operator.close()])));
  return modelClient({ company, operator });
}
