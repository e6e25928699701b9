import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Packed } from '../../clients/typescript/build/packed.ts';

/** A registry of npm that has nothing but these packages. */
export async function startPackageRegistry(packages: readonly Packed[]): Promise<{ url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const name = decodeURIComponent(request.url!.slice(1));
    const file = packages.find(({ tarball }) => path.basename(tarball) === name);
    const named = packages.find(({ manifest }) => manifest.name === name);
    if (file) response.end(await readFile(file.tarball));
    else if (named) response.setHeader('Content-Type', 'application/json').end(JSON.stringify(document(named)));
    else response.writeHead(404, { 'Content-Type': 'application/json' }).end('{"error":"not_found"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const document = ({ manifest, tarball }: Packed) => ({
    name: manifest.name,
    'dist-tags': { latest: manifest.version },
    versions: { [manifest.version]: { ...manifest, dist: { tarball: `${url}/${path.basename(tarball)}` } } },
  });
  return { url, close: () => void server.close() };
}
