/** An originate command, taken apart. */
export interface OriginateCommand {
  readonly variables: Readonly<Record<string, string>>;
  /** Several ring at once. */
  readonly endpoints: readonly string[];
  readonly application: { readonly name: string; readonly argument: string };
}

/** `{a=1,b='x y'}endpoint[,endpoint] &app(argument)`; undefined when a real switch could not read it. */
export function parseOriginate(text: string): OriginateCommand | 'usage' | undefined {
  const [dialString, application] = splitAtBlanks(text);
  if (!dialString || !application) return 'usage';
  // A blank in a variable that is not quoted cuts the dial string short.
  const braces = /^\{(.*?)\}(.+)$/s.exec(dialString);
  if (dialString.startsWith('{') && !braces) return undefined;
  const app = /^&([a-z_]+)(?:\((.*)\))?$/s.exec(application);
  if (!app?.[1]) return undefined;
  return {
    variables: parseVariables(braces?.[1] ?? ''),
    endpoints: (braces?.[2] ?? dialString).split(','),
    application: { name: app[1], argument: app[2] ?? '' },
  };
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

/** Where an endpoint leads. */
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
