type Fields = Readonly<Record<string, unknown>>;

/** Words of people outside the company, or derived from them by a model. */
const SAID_OR_WRITTEN = new Set(['text', 'spoken', 'transcription', 'summary', 'preview', 'caller_name', 'wanted']);
/** Names and notes of contacts come from callers and from other systems. */
const ABOUT_CONTACTS = new Set(['name', 'company_name', 'email', 'note']);
/** Everything below it comes from other systems, or from what a caller said to an assistant. */
const FROM_OUTSIDE = new Set(['contexts', 'arguments']);

/** Enough for every shape of result. */
const PATHS_MAX = 50;

/** Text from outside is data and may try to instruct an assistant. */
export function isUntrusted(key: string, parent: Fields): boolean {
  if (isKnowledgeEntry(parent)) return false;
  return SAID_OR_WRITTEN.has(key) || FROM_OUTSIDE.has(key) || (ABOUT_CONTACTS.has(key) && isContact(parent));
}

/** Also the caller of a conversation with an assistant. */
function isContact(fields: Fields): boolean {
  return ('phone' in fields && 'company_name' in fields) || 'contact_id' in fields;
}

/** Written by the company itself. */
function isKnowledgeEntry(fields: Fields): boolean {
  return 'answer' in fields && 'questions' in fields;
}

/** JSON pointers (RFC 6901) to text from outside, with `*` for every item of a list. */
export function untrustedPaths(result: unknown): string[] {
  const paths = new Set<string>();
  collect(result, '', paths);
  return [...paths].slice(0, PATHS_MAX);
}

function collect(value: unknown, path: string, paths: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) return value.forEach((item) => collect(item, `${path}/*`, paths));
  for (const [key, field] of Object.entries(value)) {
    const at = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!isUntrusted(key, value as Fields)) collect(field, at, paths);
    else if (field !== null && field !== undefined && field !== '') paths.add(at);
  }
}
