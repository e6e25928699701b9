import type { Clients } from '../../peers/peers.ts';
import { getCompany } from './get-company.ts';
import { updateCompany } from './update-company.ts';

export const companyEndpoints = (clients: Clients) => [getCompany(clients), updateCompany(clients)];
