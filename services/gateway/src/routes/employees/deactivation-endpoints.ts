import { endpoint, json } from '@parley/http';
import type { UsedCredential } from '@parley/proto/identity/v1/deactivations_pb';
import { employeeJson, employeeSchema, isoTime } from '@parley/public-json';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { EvictCredential } from '../../credentials/verified-credentials.ts';
import type { Clients } from '../../peers/peers.ts';
import { presenceLookup } from '../../presence/live-presences.ts';

export const deactivationEndpoints = (clients: Clients, evict: EvictCredential) => [
  getDeactivation(clients),
  deactivateEmployee(clients, evict),
  reactivateEmployee(clients),
];

const usedCredentialsSchema = z.array(
  z.object({ id: z.string(), name: z.string(), last_used_at: z.string().nullable() }),
);

const deactivationSchema = z
  .object({
    deactivated_at: z.string().nullable(),
    api_keys: usedCredentialsSchema.describe('Keys that were used within the last 30 days, the last used first'),
    connected_apps: usedCredentialsSchema.describe('Connected apps (OAuth) that were used within the last 30 days'),
  })
  .meta({ id: 'Deactivation' });

const getDeactivation = ({ usedCredentials, employees }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'GET /employees/:id/deactivation',
    sdkMethod: 'employees.getDeactivation',
    summary: 'Read what stops with an employee',
    description: 'The programs that would lose, or have lost, their access when the employee is deactivated.',
    responses: { 200: deactivationSchema },
    errors: [404],
    async handle({ params, context }) {
      const [{ employee }, used] = await Promise.all([
        employees.readEmployee({ id: params.id }, { as: context }),
        usedCredentials.listUsedCredentials({ employeeId: params.id }, { as: context }),
      ]);
      return json(200, {
        deactivated_at: isoTime(employee?.deactivatedAt),
        api_keys: used.apiKeys.map(credentialJson),
        connected_apps: used.connectedApps.map(credentialJson),
      });
    },
  });

const deactivateEmployee = ({ employees, presences }: Clients, evict: EvictCredential) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'PUT /employees/:id/deactivation',
    sdkMethod: 'employees.deactivate',
    summary: 'Deactivate an employee',
    description:
      'Ends all sessions and phones of the employee within a second. API keys and connected apps are suspended, and removed after 30 days. The employee stays in routing and is not rung.',
    responses: { 200: employeeSchema },
    errors: {
      403: 'the employee who created the credential in use, or an owner without being one',
      404: 'not_found',
      409: 'last_owner, conflict',
    },
    async handle({ params, context }) {
      const { employee } = await employees.deactivateEmployee({ id: params.id }, { as: context });
      evict({ credentialId: '', employeeId: params.id });
      const presence = await presences.list(context, [params.id]);
      return json(200, employeeJson(employee!, presenceLookup(presence)(params.id)));
    },
  });

const reactivateEmployee = ({ employees, presences }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'DELETE /employees/:id/deactivation',
    sdkMethod: 'employees.reactivate',
    summary: 'Reactivate an employee',
    description:
      'The employee can sign in again. API keys and connected apps of an employee who was deactivated less than 30 days ago are valid again; sessions and phones are not.',
    responses: { 200: employeeSchema },
    errors: { 403: 'an owner without being one', 404: 'not_found', 409: 'conflict', 422: 'limit_reached' },
    async handle({ params, context }) {
      const { employee } = await employees.reactivateEmployee({ id: params.id }, { as: context });
      const presence = await presences.list(context, [params.id]);
      return json(200, employeeJson(employee!, presenceLookup(presence)(params.id)));
    },
  });

function credentialJson({ id, name, lastUsedAt }: UsedCredential) {
  return { id, name, last_used_at: isoTime(lastUsedAt) };
}
