/** One destination of an originate command. */
export interface Endpoint {
  readonly text: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** An originate command, taken apart. */
export interface OriginateCommand {
  /** Tried one after the other, until a phone answers; those of one round ring at once. */
  readonly rounds: readonly (readonly Endpoint[])[];
  readonly application: { readonly name: string; readonly argument: string };
}

/** Separates originates of their own, each with its variables and alternatives. */
const ENTERPRISE = ':_:';

/**
 * `{a=1,b='x y'}endpoint[,endpoint][|alternative] &app(argument)`, with `[c=2]` before an endpoint, and several of them
 * with `:_:` between and `<d=3>` before all; undefined when a real switch could not read it.
 */
export function parseOriginate(text: string): OriginateCommand | 'usage' | undefined {
  const [dialString, application] = splitAtBlanks(text);
  if (!dialString || !application) return 'usage';
  const app = /^&([a-z_]+)(?:\((.*)\))?$/s.exec(application);
  if (!app?.[1]) return undefined;
  const all = takeVariables(dialString, '<', '>');
  const originates = all?.rest.split(ENTERPRISE).map((one) => parseRounds(one, all.variables));
  if (!originates?.every((rounds) => rounds !== undefined)) return undefined;
  const count = Math.max(...originates.map((rounds) => rounds.length));
  return {
    rounds: Array.from({ length: count }, (_, round) => originates.flatMap((rounds) => rounds[round] ?? [])),
    application: { name: app[1], argument: app[2] ?? '' },
  };
}

type Variables = Readonly<Record<string, string>>;

/** Parses the variables in brackets at the beginning. A blank in an unquoted variable cuts the text short. */
function takeVariables(text: string, open: string, close: string): { variables: Variables; rest: string } | undefined {
  let variables: Variables = {};
  let rest = text;
  while (rest.startsWith(open)) {
    const end = rest.indexOf(close);
    if (end < 0 || end === rest.length - 1) return undefined;
    variables = { ...variables, ...parseVariables(rest.slice(1, end)) };
    rest = rest.slice(end + 1);
  }
  return { variables, rest };
}

function parseRounds(text: string, outer: Variables): readonly (readonly Endpoint[])[] | undefined {
  const shared = takeVariables(text, '{', '}');
  if (!shared) return undefined;
  const rounds = outsideBrackets(shared.rest, '|').map((alternative) =>
    outsideBrackets(alternative, ',').map((endpoint) => {
      const own = takeVariables(endpoint, '[', ']');
      return own && { text: own.rest, variables: { ...outer, ...shared.variables, ...own.variables } };
    }),
  );
  return rounds.every((round) => round.every((endpoint) => endpoint !== undefined))
    ? (rounds as readonly (readonly Endpoint[])[])
    : undefined;
}

/** Cuts where a separator is not within the variables of an endpoint. */
function outsideBrackets(text: string, separator: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const char of text) {
    if (char === '[') depth += 1;
    if (char === ']') depth = Math.max(0, depth - 1);
    if (char === separator && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts;
}

/** Cuts at blanks that are not between single quotes. */
function splitAtBlanks(text: string): string[] {
  const words: string[] = [];
  let word = '';
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]!;
    if (char === '\\' && at + 1 < text.length) {
      word += char + text[(at += 1)]!;
      continue;
    }
    if (char === "'") quoted = !quoted;
    if (char === ' ' && !quoted) {
      if (word) words.push(word);
      word = '';
    } else word += char;
  }
  if (word) words.push(word);
  return words;
}

/** Cut at commas, quotes or not: only a backslash keeps a comma, and quotes around a value go. */
function parseVariables(text: string): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const part of text.split(/(?<!\\),/)) {
    const at = part.indexOf('=');
    if (at <= 0) continue;
    const value = part.slice(at + 1).replaceAll(/\\([,'])|'/g, (_match, kept?: string) => kept ?? '');
    variables[part.slice(0, at).trim()] = value;
  }
  return variables;
}

export type Destination =
  | { readonly kind: 'user'; readonly user: string }
  | { readonly kind: 'contact'; readonly uri: string }
  | { readonly kind: 'carrier'; readonly number: string }
  | { readonly kind: 'null' };

export function parseEndpoint(endpoint: string): Destination | undefined {
  if (endpoint.startsWith('null/')) return { kind: 'null' };
  if (endpoint.startsWith('user/')) return { kind: 'user', user: endpoint.slice('user/'.length) };
  const sofia = /^sofia\/(internal|external)\/(.+)$/s.exec(endpoint);
  if (!sofia?.[2]) return undefined;
  const address = sofia[2].replace(/^sip:/, '');
  if (sofia[1] === 'internal') return { kind: 'contact', uri: `sip:${address}` };
  return { kind: 'carrier', number: address.split('@')[0] ?? '' };
}
