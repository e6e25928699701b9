import type { Clients } from '../../peers/peers.ts';
import { createSoftphoneSession } from './create-softphone-session.ts';
import { deleteSoftphoneSession } from './delete-softphone-session.ts';

export const softphoneSessionEndpoints = (clients: Clients) => [
  createSoftphoneSession(clients),
  deleteSoftphoneSession(clients),
];
