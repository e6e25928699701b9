import { notFound, Refused } from '@parley/errors';
import { ScheduleService } from '@parley/proto/numbers_routing/v1/schedules_pb';
import { type RpcServer, services } from '@parley/rpc';
import { snapshotToProto } from '../numbers/business-number-proto.ts';
import type { BusinessNumbers } from '../numbers/business-number-store.ts';

export function addScheduleService(server: RpcServer, numbers: BusinessNumbers): void {
  server.add(ScheduleService, services('assistant'), {
    async getSchedule({ companyId, numberId }) {
      const number = await numbers.of(companyId).get(numberId);
      if (!number) throw new Refused(notFound);
      return { number: snapshotToProto(number), closures: [...number.closures] };
    },
  });
}
