import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Clock } from '@parley/clock';
import { encodeMessage } from '@parley/events';
import { type Aggregates, openAggregates, type Relay } from '@parley/aggregates';
import { daysFromProto, KEPT_FOREVER, type RetentionDays } from '@parley/personal-data';
import { RetentionService, type RetentionSettingsSchema } from '@parley/proto/directory/v1/retention_pb';
import type { Db } from 'mongodb';
import { employees, type RpcServer } from '@parley/rpc';
import { replaceRetention, type Retention, type RetentionEvent } from './retention.ts';

type Retentions = Aggregates<Retention, RetentionEvent>;

export function openRetentions(db: Db, relay: Relay, clock: Clock): Promise<Retentions> {
  return openAggregates<Retention, RetentionEvent>({
    db,
    collection: 'retentions',
    relay,
    clock,
    encode: ({ type, days }) => encodeMessage(type, { settings: settingsToProto(days) }),
  });
}

function settingsToProto(days: RetentionDays): MessageInitShape<typeof RetentionSettingsSchema> {
  const limited = Object.entries(days).filter(([, value]) => value !== null);
  return Object.fromEntries(limited.map(([kind, value]) => [`${kind}Days`, value]));
}

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
