import { empty, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { EvictCredential } from '../../credentials/evict-credential.ts';
import type { Clients } from '../../peers/peers.ts';

export const deleteEmployee = ({ credentials, employees }: Clients, evict: EvictCredential) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    method: 'delete',
    path: '/employees/:id',
    tag: 'Employees',
    summary: 'Delete an employee',
    description: 'Devices and API keys of the employee are removed. A call target must be removed from routing first.',
    responses: { 204: null },
    errors: {
      403: 'the employee who created the credential in use, or an owner without being one',
      404: 'not_found',
      409: 'employee_in_use, last_owner',
    },
    async handle({ params, context }) {
      await employees.deleteEmployee({ id: params.id }, { as: context });
      const deleted = { employeeId: params.id, companyId: context.companyId };
      // Credentials stop before the response is sent. If identity does not answer now, the event ends them.
      await credentials.endEmployee(deleted, { onBehalfOf: context }).catch(() => undefined);
      evict({ credentialId: '', employeeId: params.id });
      return empty(204);
    },
  });
