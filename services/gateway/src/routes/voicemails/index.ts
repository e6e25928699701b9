import type { Clients } from '../../peers/peers.ts';
import { deleteVoicemail } from './delete-voicemail.ts';
import { getVoicemail } from './get-voicemail.ts';
import { listVoicemails } from './list-voicemails.ts';
import { updateVoicemail } from './update-voicemail.ts';

export const voicemailEndpoints = (clients: Clients) => [
  listVoicemails(clients),
  getVoicemail(clients),
  updateVoicemail(clients),
  deleteVoicemail(clients),
];
