import type { Endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { ForgetCredential } from './credentials/forget-credential.ts';
import type { Clients } from './peers.ts';
import { businessNumberEndpoints } from './routes/business-numbers/index.ts';
import { callerContextEndpoints } from './routes/caller-context/index.ts';
import { companyEndpoints } from './routes/company/index.ts';
import { contactEndpoints } from './routes/contacts/index.ts';
import { employeeEndpoints } from './routes/employees/index.ts';
import { softphoneSessionEndpoints } from './routes/softphone-sessions/index.ts';
import { webhookEndpoints } from './routes/webhooks/index.ts';

/** Everything under /api/v1, noun by noun. */
export const publicEndpoints = (clients: Clients, forget: ForgetCredential): Endpoint<EmployeePrincipal>[] => [
  ...businessNumberEndpoints(clients),
  ...callerContextEndpoints(clients),
  ...companyEndpoints(clients),
  ...contactEndpoints(clients),
  ...employeeEndpoints(clients, forget),
  ...softphoneSessionEndpoints(clients),
  ...webhookEndpoints(clients),
];

/** In the order a reader meets them. */
export const publicTags = [
  { name: 'Business numbers', description: 'Phone numbers and what happens to calls to them.' },
  { name: 'Caller context', description: 'What connected systems know about a caller.' },
  { name: 'Company', description: 'The account itself.' },
  { name: 'Contacts', description: 'The company’s address book.' },
  { name: 'Employees', description: 'Who works for the company and can be called.' },
  { name: 'Softphone', description: 'Credentials for the phones of an employee.' },
  { name: 'Webhooks', description: 'Addresses that hear of events.' },
  { name: 'OAuth', description: 'How an app comes to act for an employee: an access token as `bearer` credential.' },
];

export const securitySchemes = {
  api_key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
  bearer: { type: 'http', scheme: 'bearer' },
};
