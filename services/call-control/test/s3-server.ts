import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Credentials of the test's bucket. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

/** A store with Amazon S3's protocol over HTTP that requires AWS Signature Version 4. */
export async function startS3Server(credentials: S3Credentials) {
  const objects = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    if (!isSigned(request, credentials)) return refuse(response, 403, 'SignatureDoesNotMatch');
    if (method === 'PUT') {
      // Amazon S3 refuses an object of unknown length.
      if (request.headers['content-length'] === undefined) return refuse(response, 411, 'MissingContentLength');
      const body = await buffer(request);
      if (body.length !== Number(request.headers['content-length'])) return void response.destroy();
      if (request.headers['if-none-match'] === '*' && objects.has(url))
        return refuse(response, 412, 'PreconditionFailed');
      objects.set(url, body);
      return void response.writeHead(200).end();
    }
    if (method === 'DELETE') {
      objects.delete(url);
      return void response.writeHead(204).end();
    }
    const object = objects.get(url);
    if (!object) return refuse(response, 404, 'NoSuchKey');
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const part = start === undefined ? object : object.subarray(Number(start), Number(end) + 1);
    response.writeHead(start === undefined ? 200 : 206, { 'Content-Length': part.length });
    response.end(method === 'HEAD' ? undefined : part);
  }

  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    async stop(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'Content-Type': 'application/xml' });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>Secret words</Message></Error>`);
}

/** Computes the signature from the request, without the library that made it. */
function isSigned(request: IncomingMessage, { accessKeyId, secretAccessKey, region }: S3Credentials): boolean {
  const [, credential, names, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    ) ?? [];
  const date = request.headers['x-amz-date'];
  if (typeof date !== 'string' || names === undefined) return false;
  const signedNames = names.split(';');
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => signedNames.includes(name))) return false;
  const scope = `${date.slice(0, 8)}/${region}/s3/aws4_request`;
  if (credential !== `${accessKeyId}/${scope}`) return false;
  const { pathname, search } = new URL(request.url ?? '', 'http://store.invalid');
  const headers = signedNames.map((name) => `${name}:${String(request.headers[name]).trim()}\n`).join('');
  const payload = String(request.headers['x-amz-content-sha256']);
  const canonical = [request.method, pathname, search.slice(1), headers, names, payload].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', date, scope, createHash('sha256').update(canonical).digest('hex')].join('\n');
  const key = [date.slice(0, 8), region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${secretAccessKey}`,
  );
  return createHmac('sha256', key).update(toSign).digest('hex') === signature;
}
