import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers.ts';
import { textChange } from '../text-change.ts';
import { employeeJson, employeeSchema } from './employee-json.ts';
import { presenceLookup } from '../../presence/live-presences.ts';

export const updateEmployee = ({ employees, presences }: Clients) =>
  endpoint<EmployeePrincipal>()({
    method: 'patch',
    path: '/employees/:id',
    tag: 'Employees',
    summary: 'Update an employee',
    description: 'Fields left out stay as they are; null clears the phone number. The e-mail address must stay unique.',
    body: z.object({
      name: z.string().optional(),
      email: z.string().optional(),
      phone: z.string().nullable().optional(),
    }),
    responses: { 200: employeeSchema },
    errors: [404, 422],
    async handle({ params, body, context }) {
      const change = { id: params.id, name: body.name, email: body.email, phone: textChange(body.phone) };
      const [{ employee }, presence] = await Promise.all([
        employees.updateEmployee(change, { as: context }),
        presences.list(context, [params.id]),
      ]);
      return json(200, employeeJson(employee!, presenceLookup(presence)(params.id)));
    },
  });
