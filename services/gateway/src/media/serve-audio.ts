import { empty, HttpError, stream } from '@parley/http';
import { z } from 'zod';
import { byteRange } from './byte-range.ts';

/** Audio that is there, and how to read it. */
export interface Audio {
  readonly contentType: string;
  readonly sizeBytes: number;
  /** Without quotes. */
  readonly etag: string;
  readonly cacheControl: string;
  read(start: number, end: number): AsyncIterable<{ data: Uint8Array }>;
}

/** Request headers that select a range or validate a cache. */
export const audioHeaders = z.object({
  range: z.string().optional(),
  'if-none-match': z.string().optional(),
  'if-range': z.string().optional(),
});

/** The expiry in a signed address; one that was not written by us names nothing. */
export function readExpiry(expires: string): bigint {
  if (!/^\d{1,15}$/.test(expires)) throw new HttpError(404, { error: 'not_found' });
  return BigInt(expires);
}

/** Responds with the audio or the requested range (RFC 9110 section 14). */
export function serveAudio(audio: Audio, headers: z.infer<typeof audioHeaders>) {
  const { contentType, sizeBytes } = audio;
  const tag = `"${audio.etag}"`;
  const about = { ETag: tag, 'Accept-Ranges': 'bytes', 'Cache-Control': audio.cacheControl };
  if (headers['if-none-match']?.split(/, */).includes(tag)) return empty(304, about);
  const wanted = headers['if-range'] === undefined || headers['if-range'] === tag ? headers.range : undefined;
  const range = byteRange(wanted, sizeBytes);
  if (range === 'unsatisfiable')
    throw new HttpError(416, { error: 'range_not_satisfiable' }, { 'Content-Range': `bytes */${sizeBytes}` });
  const { start, end } = range ?? { start: 0, end: sizeBytes };
  const length = { ...about, 'Content-Length': String(end - start) };
  const bytes = bytesOf(audio.read(start, end));
  if (!range) return stream(200, contentType, bytes, length);
  return stream(206, contentType, bytes, { ...length, 'Content-Range': `bytes ${start}-${end - 1}/${sizeBytes}` });
}

/** The bytes in the messages of a stream. */
export async function* bytesOf(parts: AsyncIterable<{ data: Uint8Array }>) {
  for await (const { data } of parts) yield data;
}
