import { answer, route } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers.ts';
import { employeeJson, employeeSchema } from './employee-json.ts';

export const getEmployee = ({ employees }: Clients) =>
  route<EmployeePrincipal>()({
    method: 'get',
    path: '/employees/:id',
    tag: 'Employees',
    summary: 'Read an employee',
    answers: { 200: employeeSchema },
    refuses: [404],
    async handle({ params, context }) {
      const { employee } = await employees.readEmployee({ id: params.id }, { as: context });
      return answer(200, employeeJson(employee!));
    },
  });
