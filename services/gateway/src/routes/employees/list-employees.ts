import { endpoint, streamArray } from '@parley/http';
import type { Employee } from '@parley/proto/directory/v1/employees_pb';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import { employeeJson, employeeSchema } from '@parley/public-json';
import type { Clients } from '../../peers/peers.ts';
import { openList } from '../shared/long-list.ts';
import { presenceLookup } from '../../presence/live-presences.ts';
import { reads } from '../shared/tool-annotations.ts';

export const listEmployees = ({ employees, presences }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'get',
    path: '/employees',
    tag: 'Employees',
    summary: 'List employees',
    responses: { 200: z.object({ employees: z.array(employeeSchema) }) },
    tools: [
      {
        name: 'list_employees',
        title: 'List employees',
        description: 'Coworkers with their presence. Use it to find an employee’s id, or who is available.',
        annotations: reads,
        list: 'employees',
      },
    ],
    async handle({ context, requestId }) {
      const chunks = await openList(
        { context, requestId },
        (options) => employees.listEmployees({}, options),
        (response) => response.employees,
      );
      const presenceOf = presenceLookup(await presences.list(context));
      const json = (employee: Employee) => employeeJson(employee, presenceOf(employee.id));
      return streamArray(chunks, json, { before: '{"employees":', after: '}' });
    },
  });
