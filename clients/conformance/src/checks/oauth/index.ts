import type { Check } from '../check.ts';
import { authorizationChecks } from './authorization.ts';
import { lifetimeChecks } from './lifetimes.ts';
import { registrationChecks } from './registration.ts';
import { revocationChecks } from './revocation.ts';
import { tokenChecks } from './tokens.ts';

export const oauthChecks: readonly Check[] = [
  ...registrationChecks,
  ...authorizationChecks,
  ...tokenChecks,
  ...revocationChecks,
  ...lifetimeChecks,
];
