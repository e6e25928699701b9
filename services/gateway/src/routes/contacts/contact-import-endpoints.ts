import { endpoint, HttpError, json } from '@parley/http';
import type { ContactImport } from '@parley/proto/directory/v1/contact_imports_pb';
import { type EmployeePrincipal, type RpcOptions, Unavailable } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { type ContactLine, readContactLines } from './read-contact-lines.ts';

export const contactImportEndpoints = (clients: Clients) => [importContacts(clients), getContactImport(clients)];

/** An import as partners see it. */
const contactImportSchema = z
  .object({
    id: z.string(),
    state: z.enum(['running', 'done']),
    lines: z.int().describe('How many there are, without the header'),
    created: z.int(),
    updated: z.int().describe('Lines about contacts that existed, changed or not'),
    refused: z
      .array(z.object({ line: z.int().describe('The header is line 1'), error: z.string() }))
      .describe('The first 5,000'),
  })
  .meta({ id: 'ContactImport' });

const UNSUPPORTED = 'unsupported_media_type';
const FILE_BYTES_MAX = 16 * 1024 * 1024;
const TIME_MAX_MS = 120_000;
/** The limits of one message. */
const PORTION_LINES = 200;
const PORTION_CHARACTERS = 500_000;

/** Files that this process receives at a time, of all companies; directory limits those of each. */
const RECEIVING_MAX = 100;

const importContacts = ({ contactImports }: Clients) => {
  let receiving = 0;
  return endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'POST /contacts/imports',
    sdkMethod: 'contacts.imports.create',
    summary: 'Import contacts',
    description:
      'A CSV file (`text/csv`, RFC 4180, UTF-8) of up to 50,000 lines and 16 MB, with a header. Columns: `phone`, `name`, `email`, `company_name`, `note`; others are ignored, so that an exported file can be imported. A contact with the phone number is updated, otherwise one is created. Fields without a column stay as they are; an empty cell clears. It continues in the background, and can be repeated.',
    body: 'stream',
    bodyBytesMax: FILE_BYTES_MAX,
    timeLimitMs: TIME_MAX_MS,
    responses: { 202: contactImportSchema },
    errors: [415, 422, 429],
    async handle({ body, context, request }) {
      const [type = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
      if (type.trim() !== 'text/csv') throw new HttpError(415, { error: UNSUPPORTED, code: UNSUPPORTED });
      if (receiving >= RECEIVING_MAX) throw new Unavailable('too many files are being received');
      receiving += 1;
      try {
        return json(202, contactImportJson(await receive(contactImports, body, { as: context })));
      } finally {
        receiving -= 1;
      }
    },
  });
};

/** Nothing of the file is read before the import has one of the company's places. */
async function receive(
  contactImports: Clients['contactImports'],
  file: AsyncIterable<Buffer>,
  options: RpcOptions,
): Promise<ContactImport> {
  const { id } = await contactImports.createContactImport({}, options);
  let [portions, lines] = [0, 0];
  try {
    for await (const portion of portionsOf(readContactLines(file))) {
      await contactImports.addContactImportLines({ id, portion: portions, lines: portion }, options);
      portions += 1;
      lines += portion.length;
    }
  } catch (error) {
    // Otherwise it would have its place, and the received portions be stored, until they expire.
    await contactImports.cancelContactImport({ id }, options).catch(() => undefined);
    throw error;
  }
  return (await contactImports.startContactImport({ id, portions, lines }, options)).contactImport!;
}

const getContactImport = ({ contactImports }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /contacts/imports/:id',
    sdkMethod: 'contacts.imports.get',
    summary: 'Read an import of contacts',
    description: 'How far the import is, and which lines were refused and why. Kept for a week.',
    responses: { 200: contactImportSchema },
    errors: [404],
    async handle({ params, context }) {
      const { contactImport } = await contactImports.getContactImport({ id: params.id }, { as: context });
      return json(200, contactImportJson(contactImport!));
    },
  });

function contactImportJson(found: ContactImport): z.output<typeof contactImportSchema> {
  const { id, done, lines, created, updated, refused } = found;
  const state = done ? 'done' : 'running';
  return { id, state, lines, created, updated, refused: refused.map(({ line, error }) => ({ line, error })) };
}

async function* portionsOf(lines: AsyncIterable<ContactLine>): AsyncGenerator<ContactLine[]> {
  let portion: ContactLine[] = [];
  let characters = 0;
  for await (const line of lines) {
    portion.push(line);
    characters += JSON.stringify(line).length;
    if (portion.length < PORTION_LINES && characters < PORTION_CHARACTERS) continue;
    yield portion;
    [portion, characters] = [[], 0];
  }
  if (portion.length > 0) yield portion;
}
