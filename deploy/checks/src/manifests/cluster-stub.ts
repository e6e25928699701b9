import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Manifest } from './manifest.ts';

/** Just enough of a Kubernetes API for `helm template --dry-run=server`: what kinds there are, and the objects it holds. */
export async function startClusterStub(objects: Manifest[]): Promise<{ url: string; stop(): void }> {
  const groups = Map.groupBy(objects, ({ apiVersion }) => apiVersion);
  const resourcesOf = (apiVersion: string) =>
    [...new Set(groups.get(apiVersion)?.map(({ kind }) => kind))].map((kind) => ({
      name: plural(kind),
      kind,
      namespaced: true,
      verbs: ['get'],
    }));
  const answers = new Map<string, object>([
    ['/version', { major: '1', minor: '36', gitVersion: 'v1.36.0' }],
    ['/api', { kind: 'APIVersions', versions: ['v1'] }],
    [
      '/apis',
      {
        kind: 'APIGroupList',
        groups: [...groups.keys()]
          .filter((groupVersion) => groupVersion.includes('/'))
          .map((groupVersion) => {
            const [name, version] = groupVersion.split('/');
            return { name, versions: [{ groupVersion, version }], preferredVersion: { groupVersion, version } };
          }),
      },
    ],
    ...[...groups.keys()].map((apiVersion): [string, object] => [
      base(apiVersion),
      { kind: 'APIResourceList', groupVersion: apiVersion, resources: resourcesOf(apiVersion) },
    ]),
    ...objects.map((object): [string, object] => [
      `${base(object.apiVersion)}/namespaces/phone/${plural(object.kind)}/${object.metadata.name}`,
      object,
    ]),
  ]);
  const server = createServer((request, response) => {
    const found = answers.get(request.url?.split('?')[0] ?? '');
    response.writeHead(found ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end(
      JSON.stringify(found ?? { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function base(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

function plural(kind: string): string {
  const word = kind.toLowerCase();
  return word.endsWith('y') ? `${word.slice(0, -1)}ies` : word.endsWith('s') ? `${word}es` : `${word}s`;
}
