import type { Mutation } from './mutation.ts';
import { changeBody, changeField, withoutField } from './ways.ts';

const API = { areas: ['discovery'], profile: 'api' } as const;
const SERVER = { method: 'GET', path: '/.well-known/oauth-authorization-server' };

export const discoveryMutations: readonly Mutation[] = [
  {
    id: 'discovery-plain-announced',
    sentence: 'The method `plain` is announced.',
    ...API,
    where: SERVER,
    answer: changeField('code_challenge_methods_supported', () => ['plain', 'S256']),
  },
  {
    id: 'discovery-host-repeated',
    sentence: 'The issuer is whatever host was called.',
    ...API,
    where: SERVER,
    answer: changeBody((body, { request }) => ({ ...body, issuer: `http://${request.headers.host}` })),
  },
  {
    id: 'discovery-one-resource',
    sentence: 'The resource of `/mcp` is the host.',
    ...API,
    where: { method: 'GET', path: '/.well-known/oauth-protected-resource/mcp' },
    answer: changeField('resource', (resource: string) => resource.replace('/mcp', '')),
  },
  {
    id: 'discovery-without-roles',
    sentence: 'Operations do not name the role that they require.',
    ...API,
    where: { method: 'GET', path: '/openapi.json' },
    answer: withoutField('x-required-role'),
  },
  {
    id: 'discovery-endpoint-undocumented',
    sentence: '`/openapi.json` does not describe transfers.',
    ...API,
    where: { method: 'GET', path: '/openapi.json' },
    answer: changeBody(({ paths, ...others }) => ({
      ...others,
      paths: Object.fromEntries(Object.entries(paths).filter(([path]) => !path.endsWith('/transfers'))),
    })),
  },
  {
    id: 'discovery-receives-events',
    sentence: '`/asyncapi.json` says that the service receives events.',
    ...API,
    where: { method: 'GET', path: '/asyncapi.json' },
    answer: changeField('action', () => 'receive'),
  },
];
