import type { Endpoint } from '@parley/http';
import { getPromptAudio } from './get-prompt-audio.ts';
import { getRecording } from './get-recording.ts';
import type { Clients } from '../peers/peers.ts';

/** Everything under /media: signed addresses that need no credential. */
export const mediaEndpoints = (clients: Clients): Endpoint<undefined>[] => [
  getPromptAudio(clients),
  getRecording(clients),
];
