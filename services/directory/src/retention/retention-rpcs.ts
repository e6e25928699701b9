import { daysFromProto, KEPT_FOREVER } from '@parley/personal-data';
import { RetentionService } from '@parley/proto/directory/v1/retention_pb';
import { employees, type RpcServer } from '@parley/rpc';
import { replaceRetention } from './retention.ts';
import { type Retentions, settingsToProto } from './retention-store.ts';

export function addRetentionService(server: RpcServer, { retentions }: { retentions: Retentions }): void {
  server.add(RetentionService, employees.withRole('admin'), {
    async getRetention(_request, { principal: { companyId } }) {
      const retention = await retentions.of(companyId).get(companyId);
      return { settings: settingsToProto(retention?.days ?? KEPT_FOREVER) };
    },
    async replaceRetention({ settings }, { principal: { companyId } }) {
      const days = daysFromProto(settings);
      const replaced = await retentions
        .of(companyId)
        .upsert(companyId, (current) => replaceRetention(current, companyId, days));
      return { settings: settingsToProto(replaced.days) };
    },
  });
}
