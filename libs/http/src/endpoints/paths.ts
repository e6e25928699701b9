import type { Endpoint } from './endpoint.ts';

/** A path with all of its methods. */
interface Resource<Context> {
  readonly endpoints: Endpoint<Context>[];
  /** The value of `Allow`. */
  allow: string;
}

/** `/`, or segments that are names or parameters. */
const TEMPLATE = /^(?:\/|(?:\/(?::[A-Za-z_][A-Za-z0-9_]*|[A-Za-z0-9._~-]+))+)$/;

/**
 * Endpoints by path, in the order in which Express has to try them: a literal segment before a parameter, so that
 * `/calls/active` is never taken for an id. A declaration that contradicts itself or another one stops the start.
 */
export function groupByPath<Context>(endpoints: readonly Endpoint<Context>[]): Map<string, Resource<Context>> {
  const byPath = new Map<string, Resource<Context>>();
  const shapes = new Map<string, string>();
  for (const endpoint of endpoints) {
    const { path, method } = endpoint;
    checkParameters(endpoint);
    const shape = path.replace(/:\w+/g, ':');
    if ((shapes.get(shape) ?? path) !== path) throw new Error(`${path}: another path has the same shape`);
    shapes.set(shape, path);
    const resource = byPath.get(path) ?? { endpoints: [], allow: '' };
    if (resource.endpoints.some((other) => other.method === method))
      throw new Error(`${method.toUpperCase()} ${path} is declared twice`);
    resource.endpoints.push(endpoint);
    resource.allow = allowOf(resource.endpoints);
    byPath.set(path, resource);
  }
  return new Map([...byPath].sort(([a], [b]) => comparePaths(a, b)));
}

/** `['id']` for `/contacts/:id`. */
function parameterNames(path: string): string[] {
  return path
    .split('/')
    .filter((segment) => segment.startsWith(':'))
    .map((segment) => segment.slice(1));
}

function checkParameters<Context>({ path, params }: Endpoint<Context>): void {
  if (!TEMPLATE.test(path)) throw new Error(`${path}: not a path template such as /contacts/:id`);
  const names = parameterNames(path);
  if (new Set(names).size < names.length) throw new Error(`${path}: a parameter is named twice`);
  const declared = params === undefined ? names : Object.keys(params.shape);
  if (names.toSorted().join() !== declared.toSorted().join())
    throw new Error(`${path}: the path names [${names}] and its schema [${declared}]`);
}

function allowOf<Context>(endpoints: readonly Endpoint<Context>[]): string {
  const methods = endpoints.map(({ method }) => method.toUpperCase());
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort().join(', ');
}

/** Segment by segment: a literal comes before a parameter. */
function comparePaths(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = Number(left[i]?.startsWith(':')) - Number(right[i]?.startsWith(':'));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
