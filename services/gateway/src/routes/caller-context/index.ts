import type { Clients } from '../../peers/peers.ts';
import { getCallerContext } from './get-caller-context.ts';

export const callerContextEndpoints = (clients: Clients) => [getCallerContext(clients)];
