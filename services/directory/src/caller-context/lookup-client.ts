import type { Clock } from '@parley/clock';
import type { Egress } from '@parley/egress';
import type { Encryptor } from '@parley/secrets';
import type { Logger } from '@parley/telemetry';
import { type Integration, secretContext, type IntegrationKind } from '../integrations/integration.ts';
import { providerClient } from './provider-client.ts';
import type { ProviderContext } from './caller-context.ts';
import type { Caller, Provider } from './provider.ts';
import { customEndpoint } from './custom-endpoint.ts';
import { economic } from './economic.ts';
import { shopify } from './shopify.ts';

/** The adapter of each kind of system. */
export const providers: Record<IntegrationKind, Provider> = {
  custom_endpoint: customEndpoint,
  ecommerce: shopify,
  accounting: economic,
};

/** The answers of all connected systems. */
export interface LookedUp {
  /** The contexts of systems that found the caller, in the order of their kinds. */
  readonly contexts: readonly ProviderContext[];
  /** Providers that failed or timed out: their earlier results may still be valid. */
  readonly silent: readonly string[];
}

export interface LookUpDeps {
  readonly egress: Egress;
  readonly encryptor: Encryptor;
  /** The machine's: other systems compare a signature's time with their own clocks. */
  readonly machineClock: Clock;
  readonly deadlineMs: number;
  readonly log: Logger;
}

/** Queries all systems in parallel, each with its own deadline; a failure does not affect the others. */
export async function lookUp(
  { egress, encryptor, machineClock, deadlineMs, log }: LookUpDeps,
  integrations: readonly Integration[],
  caller: Caller,
): Promise<LookedUp> {
  const answers = await Promise.all(
    integrations.map(async ({ id, kind, url, label, source, encryptedSecret }) => {
      const provider = providers[kind];
      try {
        const system = { url, secret: encryptor.decrypt(encryptedSecret, secretContext(id)), now: machineClock.now() };
        const found = await provider.lookUp(caller, system, providerClient(egress, deadlineMs));
        return { provider: provider.name, context: found && { provider: provider.name, label, source, ...found } };
      } catch (error) {
        log.info(
          { err: error, integration: id, provider: provider.name },
          'a connected system returned no usable response',
        );
        return { provider: provider.name, failed: true };
      }
    }),
  );
  return {
    contexts: answers.flatMap(({ context }) => context ?? []),
    silent: answers.flatMap(({ failed, provider }) => (failed ? [provider] : [])),
  };
}
