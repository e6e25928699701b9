import { endpoint } from '@parley/http';
import { z } from 'zod';
import type { Clients } from '../peers/peers.ts';
import { audioHeaders, readExpiry, serveAudio } from './serve-audio.ts';

/** The bytes behind an address never change: another text is another address. */
const IMMUTABLE = 'private, max-age=31536000, immutable';
const STREAM_TIME_MAX_MS = 120_000;

/** The audio of prompts and previews. The signature in the address is the whole permission. */
export const getPromptAudio = ({ promptAudio }: Clients) =>
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
              { timeoutMs: STREAM_TIME_MAX_MS },
            ),
        },
        headers,
      );
    },
  });
