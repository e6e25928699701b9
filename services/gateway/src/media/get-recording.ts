import { endpoint, HttpError } from '@parley/http';
import type { ServicePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { VerifiedCredentials } from '../credentials/verified-credentials.ts';
import type { Clients } from '../peers/peers.ts';
import { audioHeaders, readExpiry, serveAudio } from './serve-audio.ts';

const STREAM_TIME_MAX_MS = 300_000;

/** Whose listening is recorded for an address in a webhook event, which was given to no credential. */
const WEBHOOK: ServicePrincipal = { kind: 'service', name: 'webhooks' };

/** The audio of calls and voicemails. The signed address is the whole permission, for an hour and while the credential it was given to is valid. */
export const getRecording = ({ recordings }: Clients, holders: Pick<VerifiedCredentials, 'verify'>) =>
  endpoint('none')({
    route: 'GET /recordings/:name',
    summary: 'Download a recording',
    query: z.object({
      expires: z.string().max(20).optional(),
      for: z.string().max(200).optional(),
      sig: z.string().max(100).optional(),
    }),
    headers: audioHeaders,
    responses: { 200: 'audio/*', 206: 'audio/*', 304: null },
    errors: [404, 416, 425],
    timeLimitMs: STREAM_TIME_MAX_MS,
    async handle({ params, query: { expires = '', for: givenTo = '', sig = '' }, headers }) {
      const recording = { name: params.name, expires: readExpiry(expires), signature: sig, givenTo };
      const { contentType, sizeBytes } = await recordings.statRecording({ recording });
      // After the signature: what is not signed costs identity nothing.
      const holder = givenTo === 'webhook' ? WEBHOOK : await holders.verify(givenTo);
      if (!holder) throw new HttpError(404, { error: 'not_found' });
      return serveAudio(
        {
          contentType,
          sizeBytes: Number(sizeBytes),
          etag: params.name,
          // Asked for again each time: a copy must not outlive the credential.
          cacheControl: 'private, no-cache',
          read: (start, end) =>
            recordings.readRecording(
              { recording, start: BigInt(start), end: BigInt(end) },
              { timeoutMs: STREAM_TIME_MAX_MS, onBehalfOf: holder },
            ),
        },
        headers,
      );
    },
  });
