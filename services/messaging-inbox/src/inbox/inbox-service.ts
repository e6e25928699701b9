import { InboxService } from '@parley/proto/messaging_inbox/v1/inbox_pb';
import { employees, type RpcServer } from '@parley/rpc';
import type { InboxDeps } from './inbox-deps.ts';
import { countUnseenRpc } from './rpc-count-unseen.ts';
import { listActivityRpc } from './rpc-list-activity.ts';
import { listThreadsRpc } from './rpc-list-threads.ts';
import { markCallsSeenRpc } from './rpc-mark-calls-seen.ts';
import { markThreadSeenRpc } from './rpc-mark-thread-seen.ts';

/** Every RPC of the contract and the file of its handler. */
export function addInboxService(server: RpcServer, deps: InboxDeps): void {
  server.add(InboxService, employees.withRole('member'), {
    listThreads: listThreadsRpc(deps),
    listActivity: listActivityRpc(deps),
    markThreadSeen: markThreadSeenRpc(deps),
    markCallsSeen: markCallsSeenRpc(deps),
    countUnseen: countUnseenRpc(deps),
  });
}
