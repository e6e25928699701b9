import type { Route } from '@parley/http';
import type { OperatorCaller } from '@parley/rpc';
import { createCompany } from './operator/create-company.ts';
import { updateCompany } from './operator/update-company.ts';
import type { Clients } from './peers.ts';

/** Everything under /operator/v1, on its own port. */
export const operatorRoutes = (clients: Clients): Route<OperatorCaller>[] => [
  createCompany(clients),
  updateCompany(clients),
];
