import { json, endpoint } from '@parley/http';
import { ROLES, roleToProto } from '@parley/roles';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import { employeeJson, employeeSchema } from '@parley/public-json';
import type { Clients } from '../../peers/peers.ts';
import { mayChangeEmployeeFields } from './employee-rules.ts';
import { emailText, nameText, phoneText } from '../shared/bounded-text.ts';
import { NO_PRESENCE } from '../../presence/live-presences.ts';

export const createEmployee = ({ employees }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    permitsFields: (caller, _params, fields) => mayChangeEmployeeFields(caller, fields),
    method: 'post',
    path: '/employees',
    tag: 'Employees',
    summary: 'Create an employee',
    description: 'An invitation is sent to the e-mail address, which must be unique across all companies.',
    body: z.object({
      name: nameText,
      email: emailText,
      phone: phoneText.nullish(),
      role: z.enum(ROLES).default('member'),
    }),
    responses: { 201: employeeSchema },
    errors: { 422: 'validation_failed, limit_reached' },
    async handle({ body, context }) {
      const details = {
        name: body.name,
        email: body.email,
        phone: body.phone ?? undefined,
        role: roleToProto[body.role],
      };
      const { employee } = await employees.createEmployee(details, { as: context });
      return json(201, employeeJson(employee!, NO_PRESENCE));
    },
  });
