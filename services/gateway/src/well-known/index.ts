import { authorizationServer } from './authorization-server.ts';
import type { BaseUrl } from './base-url.ts';
import { protectedResource } from './protected-resource.ts';

/** Paths that a client may use as the resource: it appends them to the well-known name (RFC 8414, 9728). */
const RESOURCE_PATHS = ['', '/mcp', '/api/v1'];

/** The discovery documents. */
export const wellKnownEndpoints = (baseUrl: BaseUrl) =>
  RESOURCE_PATHS.flatMap((suffix) => [authorizationServer(baseUrl, suffix), protectedResource(baseUrl, suffix)]);
