import { empty, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { ForgetCredential } from '../../credentials/forget-credential.ts';
import type { Clients } from '../../peers.ts';

export const deleteEmployee = ({ credentials, employees }: Clients, forget: ForgetCredential) =>
  endpoint<EmployeePrincipal>()({
    method: 'delete',
    path: '/employees/:id',
    tag: 'Employees',
    summary: 'Delete an employee',
    description:
      'Devices and API keys of the employee are removed. Whoever is a call target must be taken out of routing first.',
    responses: { 204: null },
    errors: { 403: 'the employee who created the credential in use', 404: 'not_found', 409: 'employee_in_use' },
    async handle({ params, context }) {
      await employees.deleteEmployee({ id: params.id }, { as: context });
      const gone = { employeeId: params.id, companyId: context.companyId };
      // So that the credentials have stopped when the answer is out. Should identity not answer now, the event ends them.
      await credentials.endEmployee(gone).catch(() => undefined);
      forget({ credentialId: '', employeeId: params.id });
      return empty(204);
    },
  });
