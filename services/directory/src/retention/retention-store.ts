import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Clock } from '@parley/clock';
import { encodeMessage } from '@parley/events';
import { type Aggregates, openAggregates, type Relay } from '@parley/aggregates';
import type { RetentionDays } from '@parley/personal-data';
import type { RetentionSettingsSchema } from '@parley/proto/directory/v1/retention_pb';
import type { Db } from 'mongodb';
import type { Retention, RetentionEvent } from './retention.ts';

export type Retentions = Aggregates<Retention, RetentionEvent>;

export function openRetentions(db: Db, relay: Relay, clock: Clock): Promise<Retentions> {
  return openAggregates<Retention, RetentionEvent>({
    db,
    collection: 'retentions',
    relay,
    clock,
    encode: ({ type, days }) => encodeMessage(type, { settings: settingsToProto(days) }),
  });
}

export function settingsToProto(days: RetentionDays): MessageInitShape<typeof RetentionSettingsSchema> {
  const limited = Object.entries(days).filter(([, value]) => value !== null);
  return Object.fromEntries(limited.map(([kind, value]) => [`${kind}Days`, value]));
}
