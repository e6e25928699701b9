import { Agent as HttpAgent, type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import aws4 from 'aws4';
import type { Blobs } from './blob-store.ts';

/** A bucket of Amazon S3 or of a compatible store. */
export interface S3Bucket {
  /** `https://s3.eu-central-1.amazonaws.com`; the bucket is part of the path. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** In front of every name, such as `recordings/`. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Without a byte for this long a request is given up. */
const SILENCE_MS_MAX = 30_000;
const CONNECTIONS_MAX = 32;
const ERROR_BYTES_MAX = 4096;

/**
 * Blobs in a bucket. The body of a request is not part of its signature, because it is streamed and never held in
 * memory: use https where the network is not trusted.
 */
export function s3Blobs(bucket: S3Bucket): Blobs {
  const { hostname, host, port, protocol, pathname } = new URL(bucket.endpoint);
  const isSecure = protocol === 'https:';
  const agent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: CONNECTIONS_MAX });
  const { accessKeyId, secretAccessKey, region } = bucket;

  function optionsOf(method: string, name: string, headers: Record<string, string>): RequestOptions {
    const key = `${bucket.prefix}${name}.wav`.split('/').map(encodeURIComponent).join('/');
    const path = `${pathname.replace(/\/$/, '')}/${bucket.bucket}/${key}`;
    const unsigned = { ...headers, Host: host, 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD' };
    const signed = aws4.sign(
      { service: 's3', region, method, path, headers: unsigned },
      { accessKeyId, secretAccessKey },
    );
    return { agent, hostname, port, method, path, headers: { ...signed.headers }, timeout: SILENCE_MS_MAX };
  }

  async function send(
    method: string,
    name: string,
    headers: Record<string, string> = {},
    body?: Readable,
  ): Promise<IncomingMessage> {
    const request = (isSecure ? requestHttps : requestHttp)(optionsOf(method, name, headers));
    request.on('timeout', () => request.destroy(new Error(`S3 was silent for ${SILENCE_MS_MAX} ms`)));
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      request.on('response', resolve);
      request.on('error', reject);
    });
    if (!body) request.end();
    // A store may answer, with a refusal, before it has read everything: then the answer counts.
    else await Promise.race([pipeline(body, request), answered]);
    return answered;
  }

  async function size(name: string): Promise<number | undefined> {
    const answer = await send('HEAD', name);
    if (answer.statusCode !== 200 && answer.statusCode !== 404) throw await failure('HEAD', answer);
    answer.resume();
    return answer.statusCode === 404 ? undefined : Number(answer.headers['content-length']);
  }

  return {
    async write(name, content, sizeBytes) {
      const headers = { 'Content-Length': String(sizeBytes), 'Content-Type': 'audio/wav', 'If-None-Match': '*' };
      const answer = await send('PUT', name, headers, content);
      // 409: another one of the name was being stored at the same time.
      if (answer.statusCode === 412 || answer.statusCode === 409) {
        answer.resume();
        return 'exists';
      }
      if (answer.statusCode !== 200) throw await failure('PUT', answer);
      answer.resume();
      return 'written';
    },
    async read(name, range) {
      if (range && range.start >= range.end) return Readable.from([]);
      const answer = await send('GET', name, range ? { Range: `bytes=${range.start}-${range.end - 1}` } : {});
      if (answer.statusCode === (range ? 206 : 200)) return answer;
      if (answer.statusCode === 404) return void answer.resume();
      throw await failure('GET', answer);
    },
    size,
    /** A store has no request for several; connections limit how many are asked at a time. */
    async existing(names) {
      const sizes = await Promise.all(names.map((name) => size(name)));
      return new Set(names.filter((_, index) => sizes[index] !== undefined));
    },
    async remove(name) {
      const answer = await send('DELETE', name);
      if (![200, 204, 404].includes(answer.statusCode ?? 0)) throw await failure('DELETE', answer);
      answer.resume();
    },
  };
}

/** The store's own code (`AccessDenied`, `SlowDown`), never its message. */
async function failure(method: string, answer: IncomingMessage): Promise<Error> {
  let text = '';
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    text += chunk.toString();
    if (text.length > ERROR_BYTES_MAX) break;
  }
  const code = /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1];
  return new Error(`S3 answered ${answer.statusCode} to ${method}${code === undefined ? '' : `: ${code}`}`);
}
