import type { Endpoint } from '@parley/http';
import { getExportArchive } from './get-export.ts';
import { getPromptAudio } from './get-prompt-audio.ts';
import { getRecording } from './get-recording.ts';
import type { VerifiedCredentials } from '../credentials/verified-credentials.ts';
import type { Clients } from '../peers/peers.ts';

/** Everything under /media: signed addresses that need no credential. */
export const mediaEndpoints = (
  clients: Clients,
  holders: Pick<VerifiedCredentials, 'verify'>,
): Endpoint<undefined>[] => [
  getPromptAudio(clients),
  getRecording(clients, holders),
  getExportArchive(clients, holders),
];
