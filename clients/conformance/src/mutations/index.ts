import { auditMutations } from './audit.ts';
import { authenticationMutations } from './authentication.ts';
import { companyMutations } from './company.ts';
import { contactMutations } from './contacts.ts';
import { discoveryMutations } from './discovery.ts';
import { doNotDisturbMutations } from './do-not-disturb.ts';
import { employeeMutations } from './employees.ts';
import { errorMutations } from './errors.ts';
import { isolationMutations } from './isolation.ts';
import { limitMutations } from './limits.ts';
import type { Mutation } from './mutation.ts';
import { oauthMutations } from './oauth.ts';
import { operatorMutations } from './operator.ts';
import { privacyMutations } from './privacy.ts';
import { roleMutations } from './roles.ts';
import { snippetMutations } from './snippets.ts';
import { versioningMutations } from './versioning.ts';

/** All that the kit can break, each found by a check. */
export const mutations: readonly Mutation[] = [
  ...auditMutations,
  ...authenticationMutations,
  ...companyMutations,
  ...contactMutations,
  ...discoveryMutations,
  ...doNotDisturbMutations,
  ...employeeMutations,
  ...errorMutations,
  ...isolationMutations,
  ...limitMutations,
  ...oauthMutations,
  ...operatorMutations,
  ...privacyMutations,
  ...roleMutations,
  ...snippetMutations,
  ...versioningMutations,
];
