import { authorizationServer } from './authorization-server.ts';
import type { BaseUrl } from './base-url.ts';
import { protectedResource } from './protected-resource.ts';

/** Paths of ours that a client may take for the resource: it puts them behind the well-known name (RFC 8414, 9728). */
const RESOURCE_PATHS = ['', '/mcp', '/api/v1'];

/** The documents from which a client learns everything else. */
export const wellKnownEndpoints = (baseUrl: BaseUrl) =>
  RESOURCE_PATHS.flatMap((suffix) => [authorizationServer(baseUrl, suffix), protectedResource(baseUrl, suffix)]);
