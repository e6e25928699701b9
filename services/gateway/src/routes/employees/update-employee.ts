import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { textChange } from '../shared/text-change.ts';
import { employeeJson, employeeSchema } from './employee-json.ts';
import { emailText, nameText, phoneText } from '../shared/bounded-text.ts';
import { presenceLookup } from '../../presence/live-presences.ts';

export const updateEmployee = ({ employees, presences }: Clients) =>
  endpoint<EmployeePrincipal>()({
    method: 'patch',
    path: '/employees/:id',
    tag: 'Employees',
    summary: 'Update an employee',
    description: 'Omitted fields keep their values; null clears the phone number. The e-mail address must be unique.',
    body: z.object({
      name: nameText.optional(),
      email: emailText.optional(),
      phone: phoneText.nullable().optional(),
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
