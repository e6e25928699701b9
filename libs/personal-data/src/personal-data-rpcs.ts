import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { invalid, Refused } from '@parley/errors';
import { PersonalDataService } from '@parley/proto/privacy/v1/personal_data_pb';
import { type RpcServer, services } from '@parley/rpc';
import type { Erase, Person } from './erasure.ts';
import { type ExportPerson, messagesOf } from './exported-file.ts';

export function addPersonalDataService(
  server: RpcServer,
  /** Without `exportPerson` it stores nothing that a person would recognise. */
  { erase, exportPerson }: { erase: Erase; exportPerson?: ExportPerson },
): void {
  server.add(PersonalDataService, services('directory'), {
    async erasePerson(request) {
      const { removed, position, isDone, isWaiting } = await erase(personOf(request), request.position);
      return { removed, position, done: isDone, waiting: isWaiting };
    },
    async *exportPerson(request) {
      if (exportPerson) yield* messagesOf(exportPerson(personOf(request)));
    },
  });
}

function personOf(given: { companyId: string; phoneNumber: string; before?: Timestamp }): Person {
  const { companyId, phoneNumber, before } = given;
  if (companyId === '' || phoneNumber === '' || !before)
    throw new Refused(invalid({ phone_number: ['is required, with a company and a time'] }));
  return { companyId, phoneNumber, before: timestampDate(before) };
}
