import { CallBackfillService } from '@parley/proto/call_control/v1/backfill_pb';
import { type RpcServer, services } from '@parley/rpc';
import { voicemailToProto } from '../voicemails/voicemail-proto.ts';
import type { Voicemails } from '../voicemails/voicemail-store.ts';
import { callToProto } from '../calls/store/call-proto.ts';
import type { Calls } from '../calls/store/call-store.ts';

/** Every RPC of the contract: calls and voicemails as their events carry them. */
export function addCallBackfillService(
  server: RpcServer,
  { calls, voicemails }: { readonly calls: Calls; readonly voicemails: Voicemails },
): void {
  server.add(CallBackfillService, services('messaging-inbox'), {
    async *listCallsForBackfill({ companyId }) {
      for await (const chunk of calls.allOf(companyId)) yield { calls: chunk.map((call) => callToProto(call)) };
    },
    async *listVoicemailsForBackfill({ companyId }) {
      const all = voicemails.of(companyId).findInChunks({}, { createdAt: 1, id: 1 });
      for await (const chunk of all) yield { voicemails: chunk.map((voicemail) => voicemailToProto(voicemail)) };
    },
  });
}
