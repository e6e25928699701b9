import { endpoint, streamArray } from '@parley/http';
import type { Employee } from '@parley/proto/directory/v1/employees_pb';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers.ts';
import { openList } from '../long-list.ts';
import { employeeJson, employeeSchema } from './employee-json.ts';
import { presenceLookup } from '../../presence/live-presences.ts';

export const listEmployees = ({ employees, presences }: Clients) =>
  endpoint<EmployeePrincipal>()({
    method: 'get',
    path: '/employees',
    tag: 'Employees',
    summary: 'List employees',
    responses: { 200: z.object({ employees: z.array(employeeSchema) }) },
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
