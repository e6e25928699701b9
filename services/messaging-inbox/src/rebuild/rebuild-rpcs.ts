import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Clock } from '@parley/clock';
import { notFound, Refused } from '@parley/errors';
import { InboxAdminService, type InboxRebuildSchema } from '@parley/proto/messaging_inbox/v1/inbox_pb';
import { operators, type RpcServer } from '@parley/rpc';
import type { InboxDeps } from '../inbox/inbox-rpcs.ts';
import { type InboxRebuild, startRebuild } from './inbox-rebuild.ts';
import type { InboxRebuilds } from './rebuild-store.ts';

/** Every RPC of the contract. */
export function addInboxAdminService(
  server: RpcServer,
  { rebuilds, companyOf, clock }: { rebuilds: InboxRebuilds; companyOf: InboxDeps['companyOf']; clock: Clock },
): void {
  server.add(InboxAdminService, operators, {
    async startInboxRebuild({ companyId }) {
      await companyOf(companyId);
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
