import type { Clients } from '../../peers/peers.ts';
import { countUnseen } from './count-unseen.ts';
import { listActivity } from './list-activity.ts';
import { listThreads } from './list-threads.ts';
import { markCallsSeen } from './mark-calls-seen.ts';
import { markThreadSeen } from './mark-thread-seen.ts';

export const inboxEndpoints = (clients: Clients) => [
  listThreads(clients),
  listActivity(clients),
  markThreadSeen(clients),
  markCallsSeen(clients),
  countUnseen(clients),
];
