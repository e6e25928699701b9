import { CallBackfillService } from '@parley/proto/call_control/v1/backfill_pb';
import { longList } from '@parley/queues';
import { type RpcServer, services } from '@parley/rpc';
import type { Transcripts } from '../transcripts/transcript-store.ts';
import type { Voicemail } from '../voicemails/voicemail.ts';
import { type VoicemailTexts, voicemailToProto } from '../voicemails/voicemail-proto.ts';
import { OLDEST_VOICEMAIL_FIRST, type Voicemails } from '../voicemails/voicemail-store.ts';
import { hasTranscript } from '../calls/model/call.ts';
import { callToProto } from '../calls/store/call-proto.ts';
import type { Calls } from '../calls/store/call-store.ts';

interface CallBackfillDeps {
  readonly calls: Calls;
  readonly transcripts: Transcripts;
  readonly voicemails: Voicemails;
  readonly voicemailTexts: VoicemailTexts;
}

/** Every RPC of the contract: calls and voicemails as the inbox shows them. */
export function addCallBackfillService(
  server: RpcServer,
  { calls, transcripts, voicemails, voicemailTexts }: CallBackfillDeps,
): void {
  async function* callsOf(companyId: string) {
    for await (const chunk of calls.allOf(companyId)) {
      const transcribed = chunk.filter(hasTranscript).map(({ id }) => id);
      const byCall = await transcripts.getMany(companyId, transcribed);
      yield { calls: chunk.map((call) => callToProto(call, { summary: byCall.get(call.id)?.summary })) };
    }
  }

  server.add(CallBackfillService, services('messaging-inbox', 'reports'), {
    listCallsForBackfill: ({ companyId }) => longList(callsOf(companyId)),
    async *listVoicemailsForBackfill({ companyId }) {
      const all = voicemails.of(companyId).findInChunks({}, OLDEST_VOICEMAIL_FIRST);
      const show = (voicemail: Voicemail) =>
        voicemailToProto(voicemail, { transcription: voicemailTexts.textOf(voicemail) });
      for await (const chunk of all) yield { voicemails: chunk.map(show) };
    },
  });
}
