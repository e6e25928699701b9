import type { Clock } from '@parley/clock';
import { type Aggregates, openAggregates, type Relay } from '@parley/aggregates';
import type { Db } from 'mongodb';
import type { InboxRebuild, RebuildCommand } from './inbox-rebuild.ts';

export type InboxRebuilds = Aggregates<InboxRebuild, never, RebuildCommand>;

export function openRebuilds(options: { db: Db; relay: Relay; clock: Clock }): Promise<InboxRebuilds> {
  return openAggregates<InboxRebuild, never, RebuildCommand>({
    ...options,
    collection: 'inbox_rebuilds',
    encode: (event: never) => event,
  });
}
