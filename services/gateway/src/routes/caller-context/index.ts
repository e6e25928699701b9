import type { Clients } from '../../peers.ts';
import { getCallerContext } from './get-caller-context.ts';

export const callerContextEndpoints = (clients: Clients) => [getCallerContext(clients)];
