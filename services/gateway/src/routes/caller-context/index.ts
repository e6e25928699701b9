import type { Clients } from '../../peers.ts';
import { getCallerContext } from './get-caller-context.ts';

export const callerContextRoutes = (clients: Clients) => [getCallerContext(clients)];
