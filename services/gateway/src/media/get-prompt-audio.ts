import { json, empty, HttpError, endpoint, stream } from '@parley/http';
import { z } from 'zod';
import type { Clients } from '../peers.ts';
import { byteRange } from './byte-range.ts';

/** The bytes behind an address never change: another text is another address. */
const FOR_EVER = 'private, max-age=31536000, immutable';
const STREAM_TIME_MAX_MS = 120_000;

/** The audio of prompts and previews. The signature in the address is the whole permission. */
export const getPromptAudio = ({ promptAudio }: Clients) =>
  endpoint()({
    method: 'get',
    path: '/prompts/:hash',
    tag: 'Media',
    summary: 'Hear a prompt',
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
      const size = Number(sizeBytes);
      const tag = `"${etag}"`;
      const about = {
        ETag: tag,
        'Accept-Ranges': 'bytes',
        'Cache-Control': audio.expires === 0n ? FOR_EVER : 'private, max-age=300',
      };
      if (headers['if-none-match']?.split(/, */).includes(tag)) return empty(304, about);
      const wanted = headers['if-range'] === undefined || headers['if-range'] === tag ? headers.range : undefined;
      const range = byteRange(wanted, size);
      if (range === 'unsatisfiable')
        throw new HttpError(416, { error: 'range_not_satisfiable' }, { 'Content-Range': `bytes */${size}` });
      const { start, end } = range ?? { start: 0, end: size };
      const parts = promptAudio.readPromptAudio(
        { audio, start: BigInt(start), end: BigInt(end) },
        { timeoutMs: STREAM_TIME_MAX_MS },
      );
      const length = { ...about, 'Content-Length': String(end - start) };
      if (!range) return stream(200, contentType, bytesOf(parts), length);
      const place = { ...length, 'Content-Range': `bytes ${start}-${end - 1}/${size}` };
      return stream(206, contentType, bytesOf(parts), place);
    },
  });

function signedAudio(hash: string, { expires = '0', sig = '' }: { expires?: string; sig?: string }) {
  // An address that we did not write names nothing.
  if (!/^\d{1,15}$/.test(expires)) throw new HttpError(404, json(404, { error: 'not_found' }).body);
  return { hash, expires: BigInt(expires), signature: sig };
}

async function* bytesOf(parts: AsyncIterable<{ data: Uint8Array }>) {
  for await (const { data } of parts) yield data;
}
