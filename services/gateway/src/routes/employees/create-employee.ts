import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { employeeJson, employeeSchema } from './employee-json.ts';
import { emailText, nameText, phoneText } from '../shared/bounded-text.ts';
import { NO_PRESENCE } from '../../presence/live-presences.ts';

export const createEmployee = ({ employees }: Clients) =>
  endpoint<EmployeePrincipal>()({
    method: 'post',
    path: '/employees',
    tag: 'Employees',
    summary: 'Create an employee',
    description: 'An invitation is sent to the e-mail address, which must be unique across all companies.',
    body: z.object({ name: nameText, email: emailText, phone: phoneText.nullish() }),
    responses: { 201: employeeSchema },
    errors: { 422: 'validation_failed, limit_reached' },
    async handle({ body, context }) {
      const details = { name: body.name, email: body.email, phone: body.phone ?? undefined };
      const { employee } = await employees.createEmployee(details, { as: context });
      return json(201, employeeJson(employee!, NO_PRESENCE));
    },
  });
