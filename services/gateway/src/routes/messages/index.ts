import type { Clients } from '../../peers/peers.ts';
import { getMessage } from './get-message.ts';
import { retryMessage } from './retry-message.ts';
import { sendMessage } from './send-message.ts';

export const messageEndpoints = (clients: Clients) => [
  sendMessage(clients),
  getMessage(clients),
  retryMessage(clients),
];
