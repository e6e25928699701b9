/** A path that was found: what was declared for it, and the decoded values of its parameters in order. */
export interface Match<Value> {
  readonly value: Value;
  readonly parameters: readonly string[];
}

/** Finds what was declared for a path; undefined when nothing was. */
export type Matcher<Value> = (path: string) => Match<Value> | undefined;

interface Node<Value> {
  readonly statics: Map<string, Node<Value>>;
  parameter?: Node<Value>;
  value?: Value;
}

const PARAMETER = /^:[A-Za-z_][A-Za-z0-9_]*$/;
const LITERAL = /^[A-Za-z0-9._~-]+$/;

/** `['id']` for `/contacts/:id`. Refuses a template the matcher could not honour. */
export function parameterNames(template: string): string[] {
  const names = segmentsOf(template)
    .filter((segment) => segment.startsWith(':'))
    .map((segment) => segment.slice(1));
  if (new Set(names).size < names.length) throw new Error(`${template}: a parameter is named twice`);
  return names;
}

/**
 * One tree for all templates. A literal segment wins over a parameter whatever the order of declaration, so
 * `/calls/active` is never taken for an id; paths are compared byte for byte and a trailing slash is another path.
 */
export function compileMatcher<Value>(templates: ReadonlyMap<string, Value>): Matcher<Value> {
  const root: Node<Value> = { statics: new Map() };
  const literal = new Map<string, Match<Value>>();
  for (const [template, value] of templates) {
    const segments = segmentsOf(template);
    let node = root;
    for (const segment of segments) node = childOf(node, segment);
    if (node.value !== undefined) throw new Error(`${template}: another path has the same shape`);
    node.value = value;
    if (!template.includes(':')) literal.set(template, { value, parameters: [] });
  }
  return (path) => literal.get(path) ?? matchParameters(root, path);
}

function segmentsOf(template: string): string[] {
  if (template === '/') return [];
  const segments = template.split('/');
  const sound = segments.shift() === '' && segments.every((s) => (s.startsWith(':') ? PARAMETER : LITERAL).test(s));
  if (!sound) throw new Error(`${template}: not a path template such as /contacts/:id`);
  return segments;
}

function childOf<Value>(node: Node<Value>, segment: string): Node<Value> {
  if (segment.startsWith(':')) return (node.parameter ??= { statics: new Map() });
  let child = node.statics.get(segment);
  if (child === undefined) {
    child = { statics: new Map() };
    node.statics.set(segment, child);
  }
  return child;
}

function matchParameters<Value>(root: Node<Value>, path: string): Match<Value> | undefined {
  const parameters: string[] = [];
  const value = walk(root, path, 1, parameters);
  if (value === undefined) return undefined;
  for (let i = 0; i < parameters.length; i++) {
    const raw = parameters[i] as string;
    if (!raw.includes('%')) continue;
    const decoded = decode(raw);
    if (decoded === undefined) return undefined;
    parameters[i] = decoded;
  }
  return { value, parameters };
}

/** Undefined for what names nothing that exists: no UTF-8 behind the percent signs, or a NUL. */
function decode(raw: string): string | undefined {
  try {
    const decoded = decodeURIComponent(raw);
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}

function walk<Value>(node: Node<Value>, path: string, start: number, parameters: string[]): Value | undefined {
  const slash = path.indexOf('/', start);
  const segment = slash === -1 ? path.slice(start) : path.slice(start, slash);
  if (segment === '') return undefined;
  const literal = node.statics.get(segment);
  if (literal !== undefined) {
    const found = slash === -1 ? literal.value : walk(literal, path, slash + 1, parameters);
    if (found !== undefined) return found;
  }
  if (node.parameter === undefined) return undefined;
  parameters.push(segment);
  const found = slash === -1 ? node.parameter.value : walk(node.parameter, path, slash + 1, parameters);
  if (found === undefined) parameters.pop();
  return found;
}
