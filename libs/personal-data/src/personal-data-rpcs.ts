import { timestampDate } from '@bufbuild/protobuf/wkt';
import { invalid, Refused } from '@parley/errors';
import { PersonalDataService } from '@parley/proto/privacy/v1/personal_data_pb';
import { type RpcServer, services } from '@parley/rpc';
import type { Erase } from './erasure.ts';

export function addPersonalDataService(server: RpcServer, { erase }: { erase: Erase }): void {
  server.add(PersonalDataService, services('directory'), {
    async erasePerson({ companyId, phoneNumber, before, position }) {
      if (companyId === '' || phoneNumber === '' || !before)
        throw new Refused(invalid({ phone_number: ['is required, with a company and a time'] }));
      const portion = await erase({ companyId, phoneNumber, before: timestampDate(before) }, position);
      const { removed, isDone, isWaiting } = portion;
      return { removed, position: portion.position, done: isDone, waiting: isWaiting };
    },
  });
}
