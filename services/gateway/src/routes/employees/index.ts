import type { ForgetCredential } from '../../credentials/forget-credential.ts';
import type { Clients } from '../../peers/peers.ts';
import { createEmployee } from './create-employee.ts';
import { deleteEmployee } from './delete-employee.ts';
import { getDoNotDisturb } from './get-do-not-disturb.ts';
import { getEmployee } from './get-employee.ts';
import { listEmployees } from './list-employees.ts';
import { setDoNotDisturb } from './set-do-not-disturb.ts';
import { updateEmployee } from './update-employee.ts';

export const employeeEndpoints = (clients: Clients, forget: ForgetCredential) => [
  listEmployees(clients),
  createEmployee(clients),
  getEmployee(clients),
  updateEmployee(clients),
  deleteEmployee(clients, forget),
  getDoNotDisturb(clients),
  setDoNotDisturb(clients),
];
