import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Clock } from '@parley/clock';
import { invalid, notFound, Refused } from '@parley/errors';
import { newId } from '@parley/secrets';
import {
  type ContactImportLine,
  type ContactImportSchema,
  ContactImportService,
} from '@parley/proto/directory/v1/contact_imports_pb';
import { employees, type RpcServer } from '@parley/rpc';
import { createInFreeSlot } from '@parley/aggregates';
import {
  acceptLines,
  cancelImport,
  type ContactImport,
  createImport,
  RUNNING_MAX,
  startImport,
  tooManyImports,
} from './contact-import.ts';
import type { ContactImports } from './contact-import-store.ts';
import type { ImportLine } from './import-line.ts';

const LINES_MAX = 500;
const PORTIONS_MAX = 1000;
/** Refused lines that are listed; more of them say that the file is wrong. */
const REFUSED_MAX = 5000;

export function addContactImportService(
  server: RpcServer,
  { imports, clock }: { readonly imports: ContactImports; readonly clock: Clock },
): void {
  const show = async (current: ContactImport): Promise<MessageInitShape<typeof ContactImportSchema>> => {
    const { id, companyId, state, lines, created, updated } = current;
    const refused = await imports.refusedLines(companyId, id, REFUSED_MAX);
    return { id, done: state === 'done', lines, created, updated, refused };
  };
  server.add(ContactImportService, employees.withRole('member'), {
    async createContactImport(_request, { principal: { companyId } }) {
      const slots = {
        among: { slot: { $exists: true } },
        field: 'slot',
        max: RUNNING_MAX,
        full: tooManyImports,
      } as const;
      const { id } = await createInFreeSlot(imports.of(companyId), slots, (slot) =>
        createImport({ id: newId('imp'), companyId, slot }, clock.now()),
      );
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
    async cancelContactImport({ id }, { principal: { companyId } }) {
      await imports.of(companyId).change(id, cancelImport);
      await imports.removePortions(companyId, id);
      return {};
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
