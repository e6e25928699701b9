import { empty, route } from '@parley/http';
import type { EmployeeCaller } from '@parley/rpc';
import type { Clients } from '../../peers.ts';

export const deleteEmployee = ({ employees }: Clients) =>
  route<EmployeeCaller>()({
    method: 'delete',
    path: '/employees/:id',
    tag: 'Employees',
    summary: 'Delete an employee',
    description:
      'Devices and API keys of the employee are removed. Whoever is a call target must be taken out of routing first.',
    answers: { 204: null },
    refuses: { 403: 'the employee who created the credential in use', 404: 'not_found', 409: 'employee_in_use' },
    async handle({ params, context }) {
      await employees.deleteEmployee({ id: params.id }, { as: context });
      return empty(204);
    },
  });
