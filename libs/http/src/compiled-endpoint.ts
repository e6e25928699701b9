import { z } from 'zod';
import type { ResponseHeaders } from './response.ts';
import { compileMatcher, type Matcher, parameterNames } from './matcher.ts';
import type { Endpoint } from './endpoint.ts';

/** A route with everything that can be worked out once. */
export interface CompiledEndpoint<Context> {
  readonly endpoint: Endpoint<Context>;
  readonly parameterNames: readonly string[];
  readonly queryNames: readonly string[];
  /** The fields a form may have; undefined when the schema does not list them. */
  readonly formNames: readonly string[] | undefined;
  readonly takesBody: boolean;
  readonly headers: ResponseHeaders | undefined;
}

/** A path with all of its methods. */
export interface Resource<Context> {
  /** The whole template, prefix included: `/api/v1/contacts/:id`. */
  readonly template: string;
  readonly endpoints: Readonly<Record<string, CompiledEndpoint<Context>>>;
  /** The value of `Allow`. */
  readonly allow: string;
}

/** All routes of an API as one matcher. A declaration that contradicts itself or another one stops the start. */
export function compileEndpoints<Context>(
  prefix: string,
  routes: readonly Endpoint<Context>[],
): Matcher<Resource<Context>> {
  const byPath = new Map<string, Record<string, CompiledEndpoint<Context>>>();
  for (const route of routes) {
    const endpoints = byPath.get(route.path) ?? Object.create(null);
    const method = route.method.toUpperCase();
    if (endpoints[method] !== undefined) throw new Error(`${method} ${route.path} is declared twice`);
    endpoints[method] = compileEndpoint(route);
    byPath.set(route.path, endpoints);
  }
  const resources = new Map<string, Resource<Context>>();
  for (const [path, endpoints] of byPath) {
    if (endpoints.GET !== undefined) endpoints.HEAD = endpoints.GET;
    const allow = Object.keys(endpoints).sort().join(', ');
    resources.set(path, { template: prefix + path, endpoints, allow });
  }
  return compileMatcher(resources);
}

function compileEndpoint<Context>(route: Endpoint<Context>): CompiledEndpoint<Context> {
  const names = parameterNames(route.path);
  const declared = route.params === undefined ? names : Object.keys(route.params.shape);
  if (names.toSorted().join() !== declared.toSorted().join()) {
    throw new Error(`${route.path}: the path names [${names}] and its schema [${declared}]`);
  }
  return {
    endpoint: route,
    parameterNames: names,
    queryNames: route.query === undefined ? [] : Object.keys(route.query.shape),
    formNames: route.body instanceof z.ZodObject ? Object.keys(route.body.shape) : undefined,
    takesBody: route.body !== undefined || ['post', 'put', 'patch'].includes(route.method),
    headers: route.deprecated && deprecationHeaders(route.deprecated),
  };
}

function deprecationHeaders({ since, sunset }: { since: string; sunset?: string }): ResponseHeaders {
  const headers: Record<string, string> = { Deprecation: `@${Math.floor(instant(since).getTime() / 1000)}` };
  if (sunset !== undefined) headers.Sunset = instant(sunset).toUTCString();
  return headers;
}

function instant(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new Error(`${text} is not a date`);
  return date;
}
