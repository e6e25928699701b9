import { hasRole } from '@parley/actor';
import { endpoint, type Endpoint, HttpError, stream } from '@parley/http';
import type { ServicePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { VerifiedCredentials } from '../credentials/verified-credentials.ts';
import type { Clients } from '../peers/peers.ts';
import { audioHeaders, bytesOf, readExpiry, serveAudio } from './serve-audio.ts';

/** Everything under /media: signed addresses that need no credential. */
export const mediaEndpoints = (
  clients: Clients,
  holders: Pick<VerifiedCredentials, 'verify'>,
): Endpoint<undefined>[] => [
  getPromptAudio(clients),
  getRecording(clients, holders),
  getExportArchive(clients, holders),
];

const PROMPT_TIME_MAX_MS = 120_000;
const RECORDING_TIME_MAX_MS = 300_000;
/** A large archive on a slow line. */
const ARCHIVE_TIME_MAX_MS = 3600 * 1000;

/** The bytes behind an address never change: another text is another address. */
const IMMUTABLE = 'private, max-age=31536000, immutable';

/** The audio of prompts and previews. The signature in the address is the whole permission. */
const getPromptAudio = ({ promptAudio }: Clients) =>
  endpoint('none')({
    route: 'GET /prompts/:hash',
    summary: 'Get the audio of a prompt',
    query: z.object({ expires: z.string().optional(), sig: z.string().optional() }),
    headers: audioHeaders,
    responses: { 200: 'audio/*', 206: 'audio/*', 304: null },
    errors: [404, 416],
    async handle({ params, query, headers }) {
      const { expires = '0', sig = '' } = query;
      const audio = { hash: params.hash, expires: readExpiry(expires), signature: sig };
      const { contentType, sizeBytes, etag } = await promptAudio.statPromptAudio({ audio });
      return serveAudio(
        {
          contentType,
          sizeBytes: Number(sizeBytes),
          etag,
          cacheControl: audio.expires === 0n ? IMMUTABLE : 'private, max-age=300',
          read: (start, end) =>
            promptAudio.readPromptAudio(
              { audio, start: BigInt(start), end: BigInt(end) },
              { timeoutMs: PROMPT_TIME_MAX_MS },
            ),
        },
        headers,
      );
    },
  });

/** `for`: the credential that the address was given to. */
const signedQuery = z.object({
  expires: z.string().max(20).optional(),
  for: z.string().max(200).optional(),
  sig: z.string().max(100).optional(),
});

/** Whose listening is recorded for an address in a webhook event, which was given to no credential. */
const WEBHOOK: ServicePrincipal = { kind: 'service', name: 'webhooks' };

/** The audio of calls and voicemails. The signed address is the whole permission, for an hour and while the credential it was given to is valid. */
const getRecording = ({ recordings }: Clients, holders: Pick<VerifiedCredentials, 'verify'>) =>
  endpoint('none')({
    route: 'GET /recordings/:name',
    summary: 'Download a recording',
    query: signedQuery,
    headers: audioHeaders,
    responses: { 200: 'audio/*', 206: 'audio/*', 304: null },
    errors: [404, 416, 425],
    timeLimitMs: RECORDING_TIME_MAX_MS,
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
              { timeoutMs: RECORDING_TIME_MAX_MS, onBehalfOf: holder },
            ),
        },
        headers,
      );
    },
  });

/** The archive of an export. The signed address is the whole permission, for an hour and while its credential is one of an admin. */
const getExportArchive = ({ exportArchives }: Clients, holders: Pick<VerifiedCredentials, 'verify'>) =>
  endpoint('none')({
    route: 'GET /exports/:id',
    summary: 'Download the archive of an export',
    query: signedQuery,
    responses: { 200: 'application/zip' },
    errors: [404],
    timeLimitMs: ARCHIVE_TIME_MAX_MS,
    async handle({ params, query: { expires = '', for: givenTo = '', sig = '' } }) {
      const address = { id: params.id, expires: readExpiry(expires), signature: sig, givenTo };
      await exportArchives.checkExport({ address });
      const holder = await holders.verify(givenTo);
      if (!holder || !hasRole(holder.role, 'admin')) throw new HttpError(404, { error: 'not_found' });
      const options = { timeoutMs: ARCHIVE_TIME_MAX_MS, onBehalfOf: holder };
      return stream(200, 'application/zip', bytesOf(exportArchives.readExport({ address }, options)), {
        'Content-Disposition': `attachment; filename="${params.id}.zip"`,
        'Cache-Control': 'no-store',
      });
    },
  });
