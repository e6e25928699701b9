import type { Clock } from '@parley/clock';
import { openAggregates, type Relay } from '@parley/aggregates';
import { encodeMessage } from '@parley/events';
import type { Db } from 'mongodb';
import {
  changePolicy,
  defaultPolicy,
  type SignInPolicy,
  type SignInPolicyChange,
  type SignInPolicyEvent,
} from './sign-in-policy.ts';

export type SignInPolicies = Awaited<ReturnType<typeof openSignInPolicies>>;

export async function openSignInPolicies(db: Db, relay: Relay, clock: Clock) {
  const policies = await openAggregates<SignInPolicy, SignInPolicyEvent>({
    db,
    collection: 'sign_in_policies',
    relay,
    clock,
    encode: ({ type, deviceSignIn }) => encodeMessage(type, { deviceSignIn }),
  });
  const ofCompany = async (companyId: string) =>
    (await policies.of(companyId).get(companyId)) ?? defaultPolicy(companyId);
  return {
    ofCompany,
    change: (companyId: string, change: SignInPolicyChange): Promise<SignInPolicy> =>
      policies
        .of(companyId)
        .upsert(companyId, (current = defaultPolicy(companyId)) => changePolicy(current, change, clock.now())),
    /** Read for every decision about it: nobody gets in after the owner has turned it off. */
    allowsDevices: async (companyId: string) => (await ofCompany(companyId)).deviceSignIn,
  };
}
