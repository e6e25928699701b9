import { empty, endpoint, json, streamArray } from '@parley/http';
import { type Employee, Role } from '@parley/proto/directory/v1/employees_pb';
import { employeeJson, employeeSchema } from '@parley/public-json';
import { ROLES, roleToProto } from '@parley/actor';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { EvictCredential } from '../../credentials/verified-credentials.ts';
import type { Clients } from '../../peers/peers.ts';
import { NO_PRESENCE, presenceLookup } from '../../presence/live-presences.ts';
import { emailText, nameText, phoneText } from '../shared/bounded-text.ts';
import { flag } from '../shared/flag-query.ts';
import { openList } from '../shared/long-list.ts';
import { textChange } from '../shared/text-change.ts';
import { isOwnOrAdmins, mayChangeEmployeeFields } from './employee-rules.ts';
import { deactivationEndpoints } from './deactivation-endpoints.ts';
import { doNotDisturbEndpoints } from './do-not-disturb-endpoints.ts';
import { notificationEndpoints } from './notification-endpoints.ts';

export const employeeEndpoints = (clients: Clients, evict: EvictCredential) => [
  listEmployees(clients),
  createEmployee(clients),
  getEmployee(clients),
  updateEmployee(clients, evict),
  deleteEmployee(clients, evict),
  ...deactivationEndpoints(clients, evict),
  ...doNotDisturbEndpoints(clients),
  ...notificationEndpoints(clients),
];

const listEmployees = ({ employees, presences }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /employees',
    sdkMethod: 'employees.list',
    summary: 'List employees',
    description:
      'Everybody in the company with role, presence and do-not-disturb, the ones who have not accepted their invitation and deactivated ones included. Removed employees are not listed.',
    query: z.object({
      active: flag.optional().describe('Only active, or only deactivated employees'),
    }),
    responses: { 200: z.object({ employees: z.array(employeeSchema) }) },
    tools: {
      list_employees: {
        description: 'Coworkers with their presence. Use it to find an employee’s id, or who is available.',
        list: 'employees',
      },
    },
    async handle({ query: { active }, context, requestId }) {
      const chunks = await openList(
        { context, requestId },
        (options) => employees.listEmployees({ active }, options),
        (response) => response.employees,
      );
      const presenceOf = presenceLookup(await presences.list(context));
      const json = (employee: Employee) => employeeJson(employee, presenceOf(employee.id));
      return streamArray(chunks, json, { before: '{"employees":', after: '}' });
    },
  });

const createEmployee = ({ employees }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    permitsFields: (caller, _params, fields) => mayChangeEmployeeFields(caller, fields),
    route: 'POST /employees',
    sdkMethod: 'employees.create',
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

const getEmployee = ({ employees, presences }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /employees/:id',
    sdkMethod: 'employees.get',
    summary: 'Read an employee',
    description: 'One employee with role, presence and do-not-disturb. 404 for an employee who has been removed.',
    responses: { 200: employeeSchema },
    errors: [404],
    tools: {
      get_employee: {
        title: 'Get an employee',
        description: 'One coworker, presence included. Use it when the id is known.',
      },
    },
    async handle({ params, context }) {
      const [{ employee }, presence] = await Promise.all([
        employees.readEmployee({ id: params.id }, { as: context }),
        presences.list(context, [params.id]),
      ]);
      return json(200, employeeJson(employee!, presenceLookup(presence)(params.id)));
    },
  });

const updateEmployee = ({ credentials, employees, presences }: Clients, evict: EvictCredential) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    permits: isOwnOrAdmins,
    permitsFields: (caller, _params, fields) => mayChangeEmployeeFields(caller, fields),
    route: 'PATCH /employees/:id',
    sdkMethod: 'employees.update',
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

const deleteEmployee = ({ credentials, employees }: Clients, evict: EvictCredential) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'DELETE /employees/:id',
    sdkMethod: 'employees.delete',
    summary: 'Delete an employee',
    description: 'Devices and API keys of the employee are removed. A call target must be removed from routing first.',
    responses: { 204: null },
    errors: {
      403: 'the employee who created the credential in use, or an owner without being one',
      404: 'not_found',
      409: 'employee_in_use, last_owner',
    },
    async handle({ params, context }) {
      await employees.deleteEmployee({ id: params.id }, { as: context });
      const deleted = { employeeId: params.id, companyId: context.companyId };
      // Credentials stop before the response is sent. If identity does not answer now, the event ends them.
      await credentials.endEmployee(deleted, { onBehalfOf: context }).catch(() => undefined);
      evict({ credentialId: '', employeeId: params.id });
      return empty(204);
    },
  });
