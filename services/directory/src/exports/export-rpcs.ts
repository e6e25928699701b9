import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Clock } from '@parley/clock';
import { invalid, notFound, Refused } from '@parley/errors';
import { type AddressSigner, newId } from '@parley/secrets';
import { type ExportedFile, type ExportPerson, filesIn, type Person } from '@parley/personal-data';
import {
  ExportArchiveService,
  type ExportSchema,
  ExportService,
  FileContent,
  type SignedExport,
} from '@parley/proto/directory/v1/exports_pb';
import { PersonalDataService } from '@parley/proto/privacy/v1/personal_data_pb';
import { type Channel, type EmployeePrincipal, employees, type RpcServer, services } from '@parley/rpc';
import { ZipFile } from 'yazl';
import type { Companies } from '../companies/company-store.ts';
import { type Export, isExpired, recordDownload, requestExport } from './export.ts';
import { type Exports, type FileAuditType, type FileDownloads, recordFileDownload } from './export-store.ts';

interface ExportDeps {
  readonly exports: Exports;
  readonly fileDownloads: FileDownloads;
  readonly companies: Companies;
  /** The exports of the services that store personal data, in the order of the archive. */
  readonly parts: readonly ExportPerson[];
  readonly signer: AddressSigner;
  readonly clock: Clock;
}

/** A large archive on a slow line. */
const TIMEOUT_MS = 3600 * 1000;
const PART_BYTES = 64 * 1024;
const fileTypes: Readonly<Record<FileContent, FileAuditType | undefined>> = {
  [FileContent.UNSPECIFIED]: undefined,
  [FileContent.CONTACTS]: 'contacts.exported',
  [FileContent.CALLS]: 'calls.exported',
  [FileContent.AUDIT_EVENTS]: 'audit_events.exported',
};

export function exportOf(channel: Channel): ExportPerson {
  const personalData = channel.client(PersonalDataService);
  return ({ companyId, phoneNumber, before }) =>
    filesIn(
      personalData.exportPerson(
        { companyId, phoneNumber, before: timestampFromDate(before) },
        { timeoutMs: TIMEOUT_MS },
      ),
    );
}

export function addExportServices(server: RpcServer, deps: ExportDeps): void {
  const { exports, fileDownloads, companies, parts, signer, clock } = deps;
  const show = (found: Export, principal: EmployeePrincipal): MessageInitShape<typeof ExportSchema> => {
    const { id, phoneNumber, requestedAt, expiresAt } = found;
    const { expires, signature, givenTo } = signer.sign(id, principal, clock.now());
    return {
      id,
      phoneNumber,
      requestedAt: timestampFromDate(requestedAt),
      expiresAt: timestampFromDate(expiresAt),
      address: { id, expires: BigInt(expires), signature, givenTo },
    };
  };
  server.add(ExportService, employees.withRole('admin'), {
    async requestExport(given, { principal }) {
      const { companyId } = principal;
      const country = await companies.countryOf(companyId);
      const identity = { id: newId('exp'), companyId };
      const decision = requestExport(identity, given, country, clock.now());
      return { export: show(await exports.of(companyId).create(decision), principal) };
    },
    async getExport({ id }, { principal }) {
      const found = await exports.of(principal.companyId).get(id);
      if (!found || isExpired(found, clock.now())) throw new Refused(notFound);
      return { export: show(found, principal) };
    },
    async recordFileDownload({ content, name, filter }, { principal: { companyId } }) {
      const type = fileTypes[content];
      if (!type) throw new Refused(invalid({ content: ['is unknown'] }));
      const identity = { id: newId('fil'), companyId };
      await fileDownloads.of(companyId).create(recordFileDownload(identity, { type, name, filter }, clock.now()));
      return {};
    },
  });

  /** An address that we did not write, that has expired, or whose export is gone names nothing. */
  async function verified(address: SignedExport | undefined): Promise<Export> {
    const { id: name = '', expires = 0n, signature = '', givenTo = '' } = address ?? {};
    const now = clock.now();
    const isValid = signer.verify({ name, expires: Number(expires), signature, givenTo }, now);
    // The signature is the permission, so the company follows from the export.
    const found = isValid ? await exports.acrossCompanies.get(name) : undefined;
    if (!found || isExpired(found, now)) throw new Refused(notFound);
    return found;
  }
  server.add(ExportArchiveService, services('gateway'), {
    async checkExport({ address }) {
      await verified(address);
      return {};
    },
    async *readExport({ address }) {
      const { companyId, id, phoneNumber } = await verified(address);
      // Before the first byte: nothing leaves that is not in the audit log.
      await exports.of(companyId).change(id, recordDownload);
      const archive = zipOf(filesOf(parts, { companyId, phoneNumber, before: clock.now() }));
      for await (const bytes of archive as AsyncIterable<Buffer>)
        for (let at = 0; at < bytes.length; at += PART_BYTES) yield { data: bytes.subarray(at, at + PART_BYTES) };
    },
  });
}

async function* filesOf(parts: readonly ExportPerson[], person: Person): AsyncGenerator<ExportedFile> {
  for (const exportPerson of parts) yield* exportPerson(person);
}

/**
 * A zip of the files, made while it is read: of what a person has said, however much it is, a few blocks are in memory at a time.
 * Audio is stored as it is, because it hardly gets smaller.
 */
export function zipOf(files: AsyncIterable<ExportedFile>): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const closed = new AbortController();
  // A download that was aborted reads nothing more of its sources.
  output.once('close', () => closed.abort());
  const fill = async () => {
    for await (const { name, content } of files) {
      const source = Readable.from(content);
      try {
        zip.addReadStream(source, name, { compress: !name.endsWith('.wav') });
        // The next file is not asked for before this one is written.
        await once(source, 'end', { signal: closed.signal });
      } finally {
        source.destroy();
      }
    }
    zip.end();
  };
  zip.on('error', (error) => output.destroy(error as Error));
  fill().catch((error: unknown) => output.destroy(error as Error));
  return output;
}
