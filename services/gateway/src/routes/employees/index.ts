import type { EvictCredential } from '../../credentials/evict-credential.ts';
import type { Clients } from '../../peers/peers.ts';
import { createEmployee } from './create-employee.ts';
import { deleteEmployee } from './delete-employee.ts';
import { getDoNotDisturb } from './get-do-not-disturb.ts';
import { getEmployee } from './get-employee.ts';
import { listEmployees } from './list-employees.ts';
import { notificationEndpoints } from './notification-endpoints.ts';
import { setDoNotDisturb } from './set-do-not-disturb.ts';
import { updateEmployee } from './update-employee.ts';

export const employeeEndpoints = (clients: Clients, evict: EvictCredential) => [
  listEmployees(clients),
  createEmployee(clients),
  getEmployee(clients),
  updateEmployee(clients, evict),
  deleteEmployee(clients, evict),
  getDoNotDisturb(clients),
  setDoNotDisturb(clients),
  ...notificationEndpoints(clients),
];
