import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ChannelCredentials, Client, status } from '@grpc/grpc-js';
import { scratchDir } from '@parley/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { connectEcho, endAll, startEcho } from '../test/start-echo.ts';
import { Unavailable, type TlsFiles } from './wire.ts';

const OPENSSL = 'openssl';
let scratch: Awaited<ReturnType<typeof scratchDir>>;
const file = (name: string) => path.join(scratch.path, name);
const openssl = (...args: string[]) => execFileSync(OPENSSL, args, { cwd: scratch.path, stdio: 'pipe' });

const hasOpenssl = (() => {
  try {
    execFileSync(OPENSSL, ['version'], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
})();

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];

function makeAuthority(name: string): void {
  openssl('req', '-x509', ...KEY, '-keyout', `${name}.key`, '-out', `${name}.crt`, '-subj', `/CN=${name}`);
}

/** A certificate for 127.0.0.1, signed by an authority. */
function makePair(name: string, authority: string): TlsFiles {
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1'];
  const signedBy = ['-CA', `${authority}.crt`, '-CAkey', `${authority}.key`];
  openssl(
    'req',
    '-x509',
    ...KEY,
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.crt`,
    '-subj',
    `/CN=${name}`,
    ...names,
    ...signedBy,
  );
  return { certFile: file(`${name}.crt`), keyFile: file(`${name}.key`), caFile: file(`${authority}.crt`) };
}

// The certificates are made with openssl, which every developer's machine and CI image has; without it there is nothing to try.
(hasOpenssl ? describe : describe.skip)('mutual TLS', () => {
  let directory: TlsFiles;
  let gateway: TlsFiles;
  let foreign: TlsFiles;

  beforeAll(async () => {
    scratch = await scratchDir();
    makeAuthority('ours');
    makeAuthority('theirs');
    directory = makePair('directory', 'ours');
    gateway = makePair('gateway', 'ours');
    foreign = makePair('foreign', 'theirs');
  });
  afterEach(endAll);
  afterAll(() => scratch.remove());

  const serve = async () => `127.0.0.1:${(await startEcho({}, { address: '127.0.0.1:0', tls: directory })).port}`;

  it('TLS connects two services of one authority', async () => {
    const { echo } = connectEcho(await serve(), { tls: gateway });
    expect(await echo.say({ text: 'private' })).toMatchObject({ text: 'private' });
  });

  it.each([
    ['without TLS', () => undefined],
    ['with a certificate of another authority', () => ({ ...foreign, caFile: directory.caFile })],
    ['that trusts another authority', () => ({ ...gateway, caFile: foreign.caFile })],
  ])('a server with TLS does not serve a client %s', async (_, tls) => {
    const { echo, channel } = connectEcho(await serve(), { tls: tls() });
    await expect(echo.say({}, { timeoutMs: 300 })).rejects.toBeInstanceOf(Unavailable);
    expect(await channel.healthy(100)).toBe(false);
  });

  it('a server with TLS does not serve a client without a certificate', async () => {
    const bare = new Client(await serve(), ChannelCredentials.createSsl(readFileSync(directory.caFile)));
    const failure = await new Promise((resolve) =>
      bare.makeUnaryRequest('/grpc.health.v1.Health/Check', () => Buffer.alloc(0), Boolean, {}, resolve),
    );
    bare.close();
    expect(failure).toMatchObject({ code: status.UNAVAILABLE });
  });
});
