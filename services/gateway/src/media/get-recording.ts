import { endpoint } from '@parley/http';
import { z } from 'zod';
import type { Clients } from '../peers/peers.ts';
import { audioHeaders, readExpiry, serveAudio } from './serve-audio.ts';

const STREAM_TIME_MAX_MS = 300_000;

/** The audio of calls and voicemails. The signature in the address is the whole permission, for an hour. */
export const getRecording = ({ recordings }: Clients) =>
  endpoint()({
    method: 'get',
    path: '/recordings/:name',
    tag: 'Media',
    summary: 'Download a recording',
    query: z.object({ expires: z.string().max(20).optional(), sig: z.string().max(100).optional() }),
    headers: audioHeaders,
    responses: { 200: 'audio/*', 206: 'audio/*', 304: null },
    errors: [404, 416],
    timeLimitMs: STREAM_TIME_MAX_MS,
    async handle({ params, query: { expires = '', sig = '' }, headers }) {
      const recording = { name: params.name, expires: readExpiry(expires), signature: sig };
      const { contentType, sizeBytes } = await recordings.statRecording({ recording });
      return serveAudio(
        {
          contentType,
          sizeBytes: Number(sizeBytes),
          etag: params.name,
          cacheControl: 'private, max-age=300',
          read: (start, end) =>
            recordings.readRecording(
              { recording, start: BigInt(start), end: BigInt(end) },
              { timeoutMs: STREAM_TIME_MAX_MS },
            ),
        },
        headers,
      );
    },
  });
