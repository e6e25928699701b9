import type { EgressPolicy } from '@parley/egress';
import type { Encryptor } from '@parley/secrets';
import type { Companies } from '../companies/company-store.ts';
import type { Integrations } from './integration-store.ts';

/** What the RPCs of integrations work with. */
export interface IntegrationDeps {
  readonly integrations: Integrations;
  readonly companies: Companies;
  readonly encryptor: Encryptor;
  readonly egressPolicy: EgressPolicy;
}
