import type { Clock } from '@parley/clock';
import type { Cursors } from '@parley/store';
import type { Companies } from '../companies/company-store.ts';
import type { ContactCap } from './contact-cap.ts';
import type { Contacts } from './contact-store.ts';

/** What the RPCs of contacts work with. */
export interface ContactDeps {
  readonly contacts: Contacts;
  readonly companies: Companies;
  readonly clock: Clock;
  /** The next creation's place in the order. */
  readonly tick: () => number;
  readonly cap: ContactCap;
  readonly cursors: Cursors;
}
