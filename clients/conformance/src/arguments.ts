import { parseArgs } from 'node:util';
import { AREAS, type Area } from './checks/check.ts';
import type { Target } from './target.ts';

export const FORMATS = ['text', 'json', 'junit'] as const;
export type Format = (typeof FORMATS)[number];

/** What to do. */
export interface Arguments {
  readonly command: 'run' | 'list' | 'help';
  /** Incomplete for `list`. */
  readonly target: Target;
  /** Empty for all. */
  readonly areas: readonly Area[];
  /** Ids of checks; empty for all. */
  readonly checks: readonly string[];
  readonly format: Format;
  readonly withMutations: boolean;
}

/** The program was called wrongly; its message says how. */
export class WrongUsage extends Error {}

export const HELP = `usage: parley-conformance --base-url <url> --operator-url <url> --operator-token <token> --sandbox-url <url>
       parley-conformance --local <local.json>
       parley-conformance --base-url <url> --api-key <key>

Checks whether a server behaves as Parley's API is specified.

  --base-url, --operator-url, --operator-token, --sandbox-url
                    the addresses of the server, its operator API and its sandbox
  --local <file>    reads them from the local.json of a local stack
  --api-key <key>   without operator API and sandbox: the checks that need neither, in the company of this key;
                    what they make there is removed again
  --area <name>     only this area; may be repeated, or name several with commas
  --check <id>      only this check, such as CONTACTS-012; may be repeated
  --format <format> text (default), json or junit
  --list            lists the checks and runs none
  --mutations       then breaks one rule at a time in a proxy, and requires that a check finds it
  --help            shows this

Exit status: 0 if every check of the level "must" holds (and every mutation was found), 1 if not, 2 for wrong usage.
`;

const OPTIONS = {
  'base-url': { type: 'string' },
  'operator-url': { type: 'string' },
  'operator-token': { type: 'string' },
  'sandbox-url': { type: 'string' },
  local: { type: 'string' },
  'api-key': { type: 'string' },
  area: { type: 'string', multiple: true },
  check: { type: 'string', multiple: true },
  format: { type: 'string', default: 'text' },
  list: { type: 'boolean', default: false },
  mutations: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const TARGETS =
  'Name a server: --base-url with --operator-url, --operator-token and --sandbox-url, or with --api-key, or --local.';

/** Reads arguments; `readFile` gives the content of `--local`. */
export async function readArguments(
  given: readonly string[],
  readFile: (path: string) => Promise<string>,
): Promise<Arguments> {
  const values = parsed(given);
  const areas = (values.area ?? []).flatMap((names) => names.split(',')).map(toArea);
  const format = FORMATS.find((one) => one === values.format);
  if (!format) throw new WrongUsage(`--format is one of ${FORMATS.join(', ')}, not ${values.format}`);
  const command = values.help ? 'help' : values.list ? 'list' : 'run';
  const named: Named = values.local === undefined ? values : { ...(await local(values.local, readFile)), ...values };
  return {
    command,
    target: command === 'run' ? toTarget(named) : { baseUrl: '' },
    areas,
    checks: values.check ?? [],
    format,
    withMutations: values.mutations,
  };
}

type Named = Partial<Record<'base-url' | 'operator-url' | 'operator-token' | 'sandbox-url' | 'api-key', string>>;

function parsed(given: readonly string[]) {
  try {
    return parseArgs({ args: [...given], options: OPTIONS, allowPositionals: false }).values;
  } catch (error) {
    throw new WrongUsage(error instanceof Error ? error.message : String(error));
  }
}

function toArea(name: string): Area {
  const area = AREAS.find((one) => one === name);
  if (!area) throw new WrongUsage(`there is no area ${name}; the areas are ${AREAS.join(', ')}`);
  return area;
}

async function local(path: string, readFile: (path: string) => Promise<string>): Promise<Named> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(path));
  } catch (error) {
    throw new WrongUsage(`--local ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const field = (name: string) => {
    const value = (content as Record<string, unknown> | null)?.[name];
    if (typeof value !== 'string') throw new WrongUsage(`--local ${path} has no ${name}`);
    return value;
  };
  return {
    'base-url': field('base_url'),
    'operator-url': field('operator_url'),
    'operator-token': field('operator_token'),
    'sandbox-url': field('sandbox_url'),
  };
}

function toTarget(named: Named): Target {
  const baseUrl = named['base-url'];
  if (baseUrl === undefined) throw new WrongUsage(TARGETS);
  const full = ['operator-url', 'operator-token', 'sandbox-url'] as const;
  const missing = full.filter((name) => named[name] === undefined);
  if (missing.length === full.length) {
    const apiKey = named['api-key'];
    if (apiKey === undefined) throw new WrongUsage(TARGETS);
    return { baseUrl: address('base-url', baseUrl), apiKey };
  }
  if (missing.length > 0) throw new WrongUsage(`--${missing.join(' and --')} must be given too`);
  return {
    baseUrl: address('base-url', baseUrl),
    operator: { url: address('operator-url', named['operator-url']!), token: named['operator-token']! },
    sandboxUrl: address('sandbox-url', named['sandbox-url']!),
  };
}

function address(name: string, value: string): string {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new WrongUsage(`--${name} is no address of HTTP: ${value}`);
  return url.href.replace(/\/$/, '');
}
