import { decided, Refused } from '@parley/errors';
import type { Logger } from '@parley/telemetry';
import type { SigningSecrets } from './signing-secrets.ts';
import type { Subscriptions } from './subscription-store.ts';

/** Writes every secret under the present encryption key, so that a former one can be taken out of the settings. */
export async function renewSecrets(subscriptions: Subscriptions, secrets: SigningSecrets, log: Logger): Promise<void> {
  let renewed = 0;
  for await (const found of subscriptions.all()) {
    if (secrets.renew(found) === found) continue;
    try {
      await subscriptions.of(found.companyId).change(found.id, (current) => decided(secrets.renew(current)));
      renewed += 1;
    } catch (error) {
      if (!(error instanceof Refused)) throw error; // Deleted since it was found.
    }
  }
  if (renewed > 0) log.info({ renewed }, 'secrets renewed under the present encryption key');
}
