import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers.ts';
import { employeeJson, employeeSchema } from './employee-json.ts';

export const getEmployee = ({ employees }: Clients) =>
  endpoint<EmployeePrincipal>()({
    method: 'get',
    path: '/employees/:id',
    tag: 'Employees',
    summary: 'Read an employee',
    responses: { 200: employeeSchema },
    errors: [404],
    async handle({ params, context }) {
      const { employee } = await employees.readEmployee({ id: params.id }, { as: context });
      return json(200, employeeJson(employee!));
    },
  });
