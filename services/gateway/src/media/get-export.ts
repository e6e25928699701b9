import { endpoint, HttpError, stream } from '@parley/http';
import { hasRole } from '@parley/actor';
import { z } from 'zod';
import type { VerifiedCredentials } from '../credentials/verified-credentials.ts';
import type { Clients } from '../peers/peers.ts';
import { bytesOf, readExpiry } from './serve-audio.ts';

/** A large archive on a slow line. */
const STREAM_TIME_MAX_MS = 3600 * 1000;

/** The archive of an export. The signed address is the whole permission, for an hour and while its credential is one of an admin. */
export const getExportArchive = ({ exportArchives }: Clients, holders: Pick<VerifiedCredentials, 'verify'>) =>
  endpoint('none')({
    route: 'GET /exports/:id',
    summary: 'Download the archive of an export',
    query: z.object({
      expires: z.string().max(20).optional(),
      for: z.string().max(200).optional(),
      sig: z.string().max(100).optional(),
    }),
    responses: { 200: 'application/zip' },
    errors: [404],
    timeLimitMs: STREAM_TIME_MAX_MS,
    async handle({ params, query: { expires = '', for: givenTo = '', sig = '' } }) {
      const address = { id: params.id, expires: readExpiry(expires), signature: sig, givenTo };
      await exportArchives.checkExport({ address });
      const holder = await holders.verify(givenTo);
      if (!holder || !hasRole(holder.role, 'admin')) throw new HttpError(404, { error: 'not_found' });
      const options = { timeoutMs: STREAM_TIME_MAX_MS, onBehalfOf: holder };
      return stream(200, 'application/zip', bytesOf(exportArchives.readExport({ address }, options)), {
        'Content-Disposition': `attachment; filename="${params.id}.zip"`,
        'Cache-Control': 'no-store',
      });
    },
  });
