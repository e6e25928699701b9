import type { Route } from '@parley/http';
import { getPromptAudio } from './media/get-prompt-audio.ts';
import type { Clients } from './peers.ts';

/** Everything under /media: signed addresses, good for whoever has them. */
export const mediaRoutes = (clients: Clients): Route<undefined>[] => [getPromptAudio(clients)];
