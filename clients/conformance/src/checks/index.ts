import { auditChecks } from './audit/index.ts';
import { authenticationChecks } from './authentication/index.ts';
import type { Check } from './check.ts';
import { companyChecks } from './company/index.ts';
import { contactChecks } from './contacts/index.ts';
import { discoveryChecks } from './discovery/index.ts';
import { doNotDisturbChecks } from './do-not-disturb/index.ts';
import { employeeChecks } from './employees/index.ts';
import { errorChecks } from './errors/index.ts';
import { isolationChecks } from './isolation/index.ts';
import { limitChecks } from './limits/index.ts';
import { oauthChecks } from './oauth/index.ts';
import { operatorChecks } from './operator/index.ts';
import { privacyChecks } from './privacy/index.ts';
import { roleChecks } from './roles/index.ts';
import { snippetChecks } from './snippets/index.ts';
import { versioningChecks } from './versioning/index.ts';

/** All checks of the kit. */
export const checks: readonly Check[] = [
  ...auditChecks,
  ...authenticationChecks,
  ...companyChecks,
  ...contactChecks,
  ...discoveryChecks,
  ...doNotDisturbChecks,
  ...employeeChecks,
  ...errorChecks,
  ...isolationChecks,
  ...limitChecks,
  ...oauthChecks,
  ...operatorChecks,
  ...privacyChecks,
  ...roleChecks,
  ...snippetChecks,
  ...versioningChecks,
];
