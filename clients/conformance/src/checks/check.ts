import type { Profile } from '../target.ts';
import type { Context } from '../world/context.ts';

/** In the order of reports. */
export const AREAS = [
  'authentication',
  'company',
  'employees',
  'roles',
  'do-not-disturb',
  'contacts',
  'business-numbers',
  'call-flows',
  'business-hours',
  'voice-previews',
  'routing',
  'calls',
  'transfers',
  'voicemails',
  'caller-context',
  'texting',
  'messages',
  'inbox',
  'snippets',
  'webhooks',
  'deliveries',
  'events',
  'live-channel',
  'oauth',
  'discovery',
  'isolation',
  'errors',
  'limits',
  'versioning',
  'operator',
  'audit',
  'privacy',
  'reports',
  'office',
  'mcp',
] as const;

export type Area = (typeof AREAS)[number];

const DOCUMENTS = [
  'service-api.md',
  'decisions.md',
  'local-stack.md',
  'people.md',
  'office.md',
  'reports.md',
  'mcp.md',
  'partner-kit.md',
] as const;

/** Document and heading: `service-api.md: Contacts`. */
export type Source = `${(typeof DOCUMENTS)[number]}: ${string}`;

/** One rule of the specification, and how to see whether a server keeps it. */
export interface Check {
  /** Area and number: `CONTACTS-012`. It is never given to another rule. */
  readonly id: string;
  readonly area: Area;
  /** Whether a server that breaks it does not conform, or only is less than it should be. */
  readonly level: 'must' | 'should';
  /** What the server does, as a whole sentence. */
  readonly sentence: string;
  readonly source: Source;
  readonly profile: Profile;
  /** It moves the clock or breaks something for everybody: no other check runs meanwhile. */
  readonly alone: boolean;
  readonly run: (context: Context) => Promise<void>;
}

export interface CheckOptions {
  readonly source: Source;
  readonly profile: Profile;
  readonly alone?: boolean;
}

type Declare = (number: number, sentence: string, options: CheckOptions, run: Check['run']) => Check;

/** The words with which the checks of an area are written: `must(12, 'A contact …', { source, profile }, async ({ companies }) => …)`. */
export function checksOf(area: Area): { readonly must: Declare; readonly should: Declare } {
  const declare =
    (level: Check['level']): Declare =>
    (number, sentence, { source, profile, alone = false }, run) => ({
      id: `${area.toUpperCase()}-${String(number).padStart(3, '0')}`,
      area,
      level,
      sentence,
      source,
      profile,
      alone,
      run,
    });
  return { must: declare('must'), should: declare('should') };
}

/** The two parts of a source. */
export function partsOf(source: Source): { document: string; heading: string } {
  const [document = '', ...heading] = source.split(': ');
  return { document, heading: heading.join(': ') };
}
