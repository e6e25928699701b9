import type { Companies } from './company-store.ts';

/** What the RPCs of companies work with. */
export interface CompanyDeps {
  readonly companies: Companies;
}
