import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Clock } from '@parley/clock';
import { invalid, notFound, Refused, refusal } from '@parley/errors';
import { newId } from '@parley/ids';
import {
  type ContactImportLine,
  type ContactImportSchema,
  ContactImportService,
} from '@parley/proto/directory/v1/contact_imports_pb';
import { employees, type RpcServer } from '@parley/rpc';
import { acceptLines, type ContactImport, createImport, startImport } from './contact-import.ts';
import type { ContactImports } from './contact-import-store.ts';
import type { ImportLine } from './import-line.ts';

const RUNNING_MAX = 5;
const LINES_MAX = 500;
const PORTIONS_MAX = 1000;

export function addContactImportService(
  server: RpcServer,
  { imports, clock }: { readonly imports: ContactImports; readonly clock: Clock },
): void {
  const show = async (current: ContactImport): Promise<MessageInitShape<typeof ContactImportSchema>> => {
    const { id, companyId, state, lines, created, updated } = current;
    const results = await imports.results(companyId, id);
    const refused = results.flatMap((result) => result.refused.map(({ line, error }) => ({ line, error })));
    return { id, done: state === 'done', lines, created, updated, refused };
  };
  server.add(ContactImportService, employees.withRole('member'), {
    async createContactImport(_request, { principal: { companyId } }) {
      if ((await imports.countRunning(companyId, RUNNING_MAX)) >= RUNNING_MAX)
        throw new Refused(refusal('limit_reached', `a company has at most ${RUNNING_MAX} imports at a time`));
      const { id } = await imports.of(companyId).create(createImport({ id: newId('imp'), companyId }, clock.now()));
      return { id };
    },
    async addContactImportLines({ id, portion, lines }, { principal: { companyId } }) {
      if (lines.length > LINES_MAX || portion < 0 || portion >= PORTIONS_MAX)
        throw new Refused(invalid({ lines: ['are too many'] }));
      const current = await imports.of(companyId).change(id, acceptLines);
      await imports.addPortion(current, portion, lines.map(lineFromProto));
      return {};
    },
    async startContactImport({ id, portions, lines }, { principal: { companyId } }) {
      const started = await imports
        .of(companyId)
        .change(id, (current) => startImport(current, { portions, lines }, clock.now()));
      return { contactImport: await show(started) };
    },
    async getContactImport({ id }, { principal: { companyId } }) {
      const current = await imports.of(companyId).get(id);
      if (!current || current.state === 'receiving') throw new Refused(notFound);
      return { contactImport: await show(current) };
    },
  });
}

function lineFromProto({ line, phone, name, email, companyName, note }: ContactImportLine): ImportLine {
  return {
    line,
    phone,
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(companyName !== undefined && { companyName }),
    ...(note !== undefined && { note }),
  };
}
