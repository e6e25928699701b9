import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type CommandContext, openAggregates } from '@parley/aggregates';
import { decided, notFound, Refused } from '@parley/errors';
import { InboxAdminService, type InboxRebuildSchema } from '@parley/proto/messaging_inbox/v1/inbox_pb';
import { runLongWork } from '@parley/queues';
import { operators, type RpcServer } from '@parley/rpc';
import type { Texting } from '../start-texting.ts';
import type { ServiceContext } from '../service-context.ts';
import type { InboxParts } from '../start-inbox.ts';
import {
  finishRebuild,
  type InboxRebuild,
  type RebuildCommand,
  type RebuildCounts,
  startRebuild,
} from './inbox-rebuild.ts';
import { openOwners } from './owners.ts';
import { rebuildContacts } from './rebuild-contacts.ts';
import { rebuildItems } from './rebuild-items.ts';

/** Rebuilds at a time in one process: each reads a company's whole history. */
const CONCURRENCY = 2;

/** Executes rebuilds; one that fails, or whose process ends, is repeated. Returns what adds their RPCs. */
export async function startRebuilds(
  { clock, db, directory, erased, peers, relay, stopLater }: ServiceContext,
  inbox: InboxParts,
  { messages, search }: Pick<Texting, 'messages' | 'search'>,
): Promise<(server: RpcServer) => void> {
  const rebuilds = await openAggregates<InboxRebuild, never, RebuildCommand>({
    db,
    relay,
    clock,
    collection: 'inbox_rebuilds',
    encode: (event: never) => event,
  });
  const owners = openOwners({ ...peers, messages, texts: inbox.texts, spoken: inbox.spoken });
  const running = rebuilds.startCommands<{ rebuild: RebuildCounts }>(
    {
      rebuild: {
        guarantee: 'until_confirmed',
        execute: (_command: RebuildCommand, { companyId, signal }: CommandContext) =>
          runLongWork(async () => {
            const copied = await rebuildContacts(inbox.contacts, owners, companyId, signal);
            const counts = await rebuildItems({ ...inbox, owners, clock, erased }, companyId, signal);
            await inbox.copies.copyAll(companyId, signal);
            await search.addAll(companyId, signal);
            return { ...counts, ...copied };
          }),
        settle: (rebuild, _command, result, now) =>
          'unknown' in result ? decided(rebuild) : finishRebuild(rebuild, result, now),
      },
    },
    { concurrency: CONCURRENCY },
  );
  stopLater('rebuilds', running);
  return (server) =>
    server.add(InboxAdminService, operators, {
      async startInboxRebuild({ companyId }) {
        await directory.company(companyId);
        const rebuild = await rebuilds
          .of(companyId)
          .upsert(companyId, (current) => startRebuild(current, companyId, clock.now()));
        return { rebuild: rebuildToProto(rebuild) };
      },
      async getInboxRebuild({ companyId }) {
        const rebuild = await rebuilds.of(companyId).get(companyId);
        if (!rebuild) throw new Refused(notFound);
        return { rebuild: rebuildToProto(rebuild) };
      },
    });
}

function rebuildToProto(rebuild: InboxRebuild): MessageInitShape<typeof InboxRebuildSchema> {
  const { companyId, startedAt, finishedAt, counts } = rebuild;
  return {
    companyId,
    startedAt: timestampFromDate(startedAt),
    ...(finishedAt && { finishedAt: timestampFromDate(finishedAt) }),
    ...(counts && { counts }),
  };
}
