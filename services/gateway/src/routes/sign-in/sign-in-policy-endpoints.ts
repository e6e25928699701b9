import { endpoint, json } from '@parley/http';
import type { SignInPolicy } from '@parley/proto/identity/v1/sign_in_policies_pb';
import { isoTime } from '@parley/public-json';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { mayActAsOwner } from '../employees/employee-rules.ts';

export const signInPolicyEndpoints = (clients: Clients) => [getPolicy(clients), updatePolicy(clients)];

const policySchema = z
  .object({
    device_sign_in: z
      .boolean()
      .describe('Employees may allow programs without a browser by a code on the page `/device` (RFC 8628)'),
    changed_at: z.string().nullable().describe('Null when it was never changed'),
  })
  .meta({ id: 'SignInPolicy' });

const getPolicy = ({ signInPolicies }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'GET /sign_in/policy',
    sdkMethod: 'signIn.getPolicy',
    summary: 'Read how employees may sign in',
    operationId: 'getSignInPolicy',
    description: 'The rules of the company for signing in.',
    responses: { 200: policySchema },
    async handle({ context }) {
      const { policy } = await signInPolicies.getSignInPolicy({}, { as: context });
      return json(200, policyJson(policy!));
    },
  });

const updatePolicy = ({ signInPolicies }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'owner',
    permits: mayActAsOwner,
    route: 'PATCH /sign_in/policy',
    sdkMethod: 'signIn.updatePolicy',
    summary: 'Change how employees may sign in',
    operationId: 'updateSignInPolicy',
    description:
      'Omitted fields keep their values. Never with an OAuth token. Without `device_sign_in` programs that wait for a code are denied; apps that are connected already stay.',
    body: z.object({ device_sign_in: z.boolean().optional() }),
    responses: { 200: policySchema },
    errors: [422],
    async handle({ body, context }) {
      const change = body.device_sign_in === undefined ? {} : { deviceSignIn: body.device_sign_in };
      const { policy } = await signInPolicies.updateSignInPolicy(change, { as: context });
      return json(200, policyJson(policy!));
    },
  });

function policyJson({ deviceSignIn, changedAt }: SignInPolicy): z.output<typeof policySchema> {
  return { device_sign_in: deviceSignIn, changed_at: isoTime(changedAt) };
}
