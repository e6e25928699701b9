import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { employeeJson, employeeSchema } from '@parley/public-json';
import type { Clients } from '../../peers/peers.ts';
import { presenceLookup } from '../../presence/live-presences.ts';
import { reads } from '../shared/tool-annotations.ts';

export const getEmployee = ({ employees, presences }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'get',
    path: '/employees/:id',
    tag: 'Employees',
    summary: 'Read an employee',
    responses: { 200: employeeSchema },
    errors: [404],
    tools: [
      {
        name: 'get_employee',
        title: 'Get an employee',
        description: 'One coworker, presence included. Use it when the id is known.',
        annotations: reads,
      },
    ],
    async handle({ params, context }) {
      const [{ employee }, presence] = await Promise.all([
        employees.readEmployee({ id: params.id }, { as: context }),
        presences.list(context, [params.id]),
      ]);
      return json(200, employeeJson(employee!, presenceLookup(presence)(params.id)));
    },
  });
