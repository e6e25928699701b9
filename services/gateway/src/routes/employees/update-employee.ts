import { json, endpoint } from '@parley/http';
import { Role } from '@parley/proto/directory/v1/employees_pb';
import { ROLES, roleToProto } from '@parley/roles';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import { employeeJson, employeeSchema } from '@parley/public-json';
import type { Clients } from '../../peers/peers.ts';
import type { EvictCredential } from '../../credentials/evict-credential.ts';
import { isOwnOrAdmins, mayChangeEmployeeFields } from './employee-rules.ts';
import { textChange } from '../shared/text-change.ts';
import { emailText, nameText, phoneText } from '../shared/bounded-text.ts';
import { presenceLookup } from '../../presence/live-presences.ts';

export const updateEmployee = ({ credentials, employees, presences }: Clients, evict: EvictCredential) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    permits: isOwnOrAdmins,
    permitsFields: (caller, _params, fields) => mayChangeEmployeeFields(caller, fields),
    method: 'patch',
    path: '/employees/:id',
    tag: 'Employees',
    summary: 'Update an employee',
    description:
      'Omitted fields keep their values; null clears the phone number. The e-mail address must be unique; of an employee who has signed in it has to be confirmed. Members change their own name, phone number, `call_waiting` and `forward_to`, admins everybody but owners.',
    body: z.object({
      name: nameText.optional(),
      email: emailText.optional(),
      phone: phoneText.nullable().optional(),
      forward_to: phoneText
        .nullable()
        .optional()
        .describe('A phone outside the company; key 1 accepts a call there. Null for none'),
      role: z.enum(ROLES).optional(),
      call_waiting: z.boolean().optional(),
    }),
    responses: { 200: employeeSchema },
    errors: {
      403: '`destination_not_allowed`',
      404: 'not_found',
      409: 'last_owner, conflict',
      422: 'validation_failed',
    },
    async handle({ params, body, context }) {
      const role = body.role === undefined ? Role.UNSPECIFIED : roleToProto[body.role];
      const change = {
        id: params.id,
        name: body.name,
        email: body.email,
        phone: textChange(body.phone),
        forwardTo: textChange(body.forward_to),
        role,
        callWaiting: body.call_waiting,
      };
      const [{ employee }, presence] = await Promise.all([
        employees.updateEmployee(change, { as: context }),
        presences.list(context, [params.id]),
      ]);
      if (body.role !== undefined) {
        // The role is effective before the response is sent. If identity does not answer now, the event makes it so.
        await credentials.refreshEmployee({ employeeId: params.id }).catch(() => undefined);
        evict({ credentialId: '', employeeId: params.id });
      }
      return json(200, employeeJson(employee!, presenceLookup(presence)(params.id)));
    },
  });
