import { endpoint, HttpError, json } from '@parley/http';
import { z } from 'zod';
import type { Clients } from '../peers/peers.ts';
import { serveAudio } from './serve-audio.ts';

/** The bytes behind an address never change: another text is another address. */
const FOR_EVER = 'private, max-age=31536000, immutable';
const STREAM_TIME_MAX_MS = 120_000;

/** The audio of prompts and previews. The signature in the address is the whole permission. */
export const getPromptAudio = ({ promptAudio }: Clients) =>
  endpoint()({
    method: 'get',
    path: '/prompts/:hash',
    tag: 'Media',
    summary: 'Get the audio of a prompt',
    query: z.object({ expires: z.string().optional(), sig: z.string().optional() }),
    headers: z.object({
      range: z.string().optional(),
      'if-none-match': z.string().optional(),
      'if-range': z.string().optional(),
    }),
    responses: { 200: 'audio/*', 206: 'audio/*', 304: null },
    errors: [404, 416],
    async handle({ params, query, headers }) {
      const audio = signedAudio(params.hash, query);
      const { contentType, sizeBytes, etag } = await promptAudio.statPromptAudio({ audio });
      return serveAudio(
        {
          contentType,
          sizeBytes: Number(sizeBytes),
          etag,
          cacheControl: audio.expires === 0n ? FOR_EVER : 'private, max-age=300',
          read: (start, end) =>
            promptAudio.readPromptAudio(
              { audio, start: BigInt(start), end: BigInt(end) },
              { timeoutMs: STREAM_TIME_MAX_MS },
            ),
        },
        headers,
      );
    },
  });

function signedAudio(hash: string, { expires = '0', sig = '' }: { expires?: string; sig?: string }) {
  // An address that we did not write names nothing.
  if (!/^\d{1,15}$/.test(expires)) throw new HttpError(404, json(404, { error: 'not_found' }).body);
  return { hash, expires: BigInt(expires), signature: sig };
}
