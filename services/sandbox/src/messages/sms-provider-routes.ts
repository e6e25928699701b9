import type { Clock } from '@parley/clock';
import type { Endpoint } from '@parley/http';
import type { Config } from '../config.ts';
import type { FaultSwitches } from '../faults/faults.ts';
import { createProviderMessages } from './provider-messages.ts';
import { messageRoutes } from './routes.ts';
import { readSigningKey } from './signed-callback.ts';

/** There is no SMS provider without a key to sign its callbacks and a service to send them to. */
export function smsProviderRoutes(
  { TELNYX_SIGNING_KEY: key, PUBLIC_URL: publicUrl }: Config,
  deps: { faults: FaultSwitches; clock: Clock },
): Endpoint<undefined>[] {
  if (!key || !publicUrl) return [];
  return messageRoutes({ ...deps, messages: createProviderMessages(), signingKey: readSigningKey(key), publicUrl });
}
