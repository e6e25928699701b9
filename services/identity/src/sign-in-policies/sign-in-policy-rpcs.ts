import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { Refused, refusal } from '@parley/errors';
import { type SignInPolicySchema, SignInPolicyService } from '@parley/proto/identity/v1/sign_in_policies_pb';
import { type EmployeePrincipal, employees, type Handler, type RpcServer } from '@parley/rpc';
import type { SignInPolicies } from './sign-in-policy-store.ts';
import { mayChangePolicy, type SignInPolicy } from './sign-in-policy.ts';

interface SignInPolicyDeps {
  readonly signInPolicies: SignInPolicies;
}

const getSignInPolicyRpc =
  ({
    signInPolicies,
  }: SignInPolicyDeps): Handler<typeof SignInPolicyService.method.getSignInPolicy, EmployeePrincipal> =>
  async (_request, { principal: { companyId } }) => ({
    policy: policyToProto(await signInPolicies.ofCompany(companyId)),
  });

const updateSignInPolicyRpc =
  ({
    signInPolicies,
  }: SignInPolicyDeps): Handler<typeof SignInPolicyService.method.updateSignInPolicy, EmployeePrincipal> =>
  async ({ deviceSignIn }, { principal }) => {
    if (!mayChangePolicy(principal)) throw new Refused(refusal('forbidden', 'forbidden'));
    const change = deviceSignIn === undefined ? {} : { deviceSignIn };
    return { policy: policyToProto(await signInPolicies.change(principal.companyId, change)) };
  };

/** Every RPC of the contract and its handler. */
export function addSignInPolicyService(server: RpcServer, deps: SignInPolicyDeps): void {
  const accessRules = { getSignInPolicy: employees.withRole('admin'), updateSignInPolicy: employees.withRole('owner') };
  server.add(SignInPolicyService, accessRules, {
    getSignInPolicy: getSignInPolicyRpc(deps),
    updateSignInPolicy: updateSignInPolicyRpc(deps),
  });
}

function policyToProto({ deviceSignIn, changedAt }: SignInPolicy): MessageInitShape<typeof SignInPolicySchema> {
  return { deviceSignIn, ...(changedAt && { changedAt: timestampFromDate(changedAt) }) };
}
