import type { PayloadSources } from './payload.ts';
import { payloads } from './payloads.ts';

const sources = {
  messageText: async (companyId: string, id: string) => `the text of ${companyId}/${id}`,
  recordingUrl: async (_companyId: string, callId: string) =>
    `https://phone.example/media/recordings/${callId}-1?sig=x`,
};

/** The webhook events that follow from an event, each with its `data`. */
export function dataOf(fact: string, bytes: Uint8Array, from: PayloadSources = sources) {
  const ofFact = payloads.filter((payload) => payload.fact === fact);
  return Promise.all(ofFact.map(async ({ event, data }) => [event, await data(bytes, from)]));
}
