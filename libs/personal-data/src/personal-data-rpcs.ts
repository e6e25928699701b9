import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { invalid, Refused } from '@parley/errors';
import { PersonalDataService } from '@parley/proto/privacy/v1/personal_data_pb';
import { runLongWork } from '@parley/queues';
import { type RpcServer, services } from '@parley/rpc';
import type { DeletedCompany } from './erase-company.ts';
import { type Erase, type ErasedPortion, erasureOf, type Person } from './erasure.ts';
import { type ExportPerson, messagesOf } from './exported-file.ts';

export function addPersonalDataService(
  server: RpcServer,
  /** Without `erase` it stores no people outside the company, without `exportPerson` nothing that a person would recognise. */
  {
    erase = erasureOf([]),
    exportPerson,
    eraseCompany,
  }: { erase?: Erase; exportPerson?: ExportPerson; eraseCompany: Erase<DeletedCompany> },
): void {
  server.add(PersonalDataService, services('directory'), {
    erasePerson: async (request) => portionToProto(await runLongWork(() => erase(personOf(request), request.position))),
    async *exportPerson(request) {
      if (exportPerson) yield* messagesOf(exportPerson(personOf(request)));
    },
    async eraseCompany({ companyId, position }) {
      if (companyId === '') throw new Refused(invalid({ company_id: ['is required'] }));
      return portionToProto(await runLongWork(() => eraseCompany({ companyId }, position)));
    },
  });
}

function portionToProto({ removed, position, isDone, isWaiting }: ErasedPortion) {
  return { removed, position, done: isDone, waiting: isWaiting };
}

function personOf(given: { companyId: string; phoneNumber: string; before?: Timestamp }): Person {
  const { companyId, phoneNumber, before } = given;
  if (companyId === '' || phoneNumber === '' || !before)
    throw new Refused(invalid({ phone_number: ['is required, with a company and a time'] }));
  return { companyId, phoneNumber, before: timestampDate(before) };
}
