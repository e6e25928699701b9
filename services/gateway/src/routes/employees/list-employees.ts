import { endpoint, streamArray } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers.ts';
import { openList } from '../long-list.ts';
import { employeeJson, employeeSchema } from './employee-json.ts';

export const listEmployees = ({ employees }: Clients) =>
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
      return streamArray(chunks, employeeJson, { before: '{"employees":', after: '}' });
    },
  });
