import type { Endpoint } from '@parley/http';
import { getPromptAudio } from './media/get-prompt-audio.ts';
import { getRecording } from './media/get-recording.ts';
import type { Clients } from './peers.ts';

/** Everything under /media: signed addresses that need no credential. */
export const mediaEndpoints = (clients: Clients): Endpoint<undefined>[] => [
  getPromptAudio(clients),
  getRecording(clients),
];
