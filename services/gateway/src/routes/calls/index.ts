import type { Clients } from '../../peers/peers.ts';
import { conversationEndpoints } from './conversation-endpoints.ts';
import { exportCalls } from './export-calls.ts';
import { getActiveCall } from './get-active-call.ts';
import { getCall } from './get-call.ts';
import { getCallTranscript } from './get-call-transcript.ts';
import { getCallTimeline } from './get-call-timeline.ts';
import { listCalls } from './list-calls.ts';
import { supervisionEndpoints } from './supervision-endpoints.ts';
import { transferEndpoints } from './transfer-endpoints.ts';

export const callEndpoints = (clients: Clients) => [
  listCalls(clients),
  exportCalls(clients),
  getActiveCall(clients),
  getCall(clients),
  getCallTimeline(clients),
  getCallTranscript(clients),
  ...transferEndpoints(clients),
  ...supervisionEndpoints(clients),
  ...conversationEndpoints(clients),
];
