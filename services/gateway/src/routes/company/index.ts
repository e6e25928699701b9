import type { Clients } from '../../peers.ts';
import { getCompany } from './get-company.ts';
import { updateCompany } from './update-company.ts';

export const companyRoutes = (clients: Clients) => [getCompany(clients), updateCompany(clients)];
