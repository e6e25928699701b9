import { employeeJson } from '@parley/public-json';
import { definePayload, type Payload } from './payload.ts';

export const employeePayloads: readonly Payload[] = [
  definePayload({
    fact: 'call-control.employee_status.changed',
    event: 'employee.status.changed',
    data: ({ employee, presence }) => {
      if (!employee || !presence) throw new Error('an employee event without its employee');
      return { employee: employeeJson(employee, presence) };
    },
  }),
];
