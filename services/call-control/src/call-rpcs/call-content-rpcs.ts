import { CallContentService } from '@parley/proto/call_control/v1/calls_service_pb';
import { type RpcServer, services } from '@parley/rpc';
import type { SessionTranscripts } from '../transcripts/session-transcripts.ts';
import { type VoicemailTexts, voicemailToProto } from '../voicemails/voicemail-proto.ts';
import type { Voicemails } from '../voicemails/voicemail-store.ts';
import type { CallViews } from './call-views.ts';

/**
 * Webhooks are delivered in up to six attempts over seven and a half hours, and receivers may process them later than
 * they accept them.
 */
const ADDRESS_VALID_SECS = 24 * 3600;

interface CallContentDeps {
  readonly views: CallViews;
  readonly sessionTranscripts: Pick<SessionTranscripts, 'whenStored'>;
  readonly voicemails: Voicemails;
  readonly voicemailTexts: VoicemailTexts;
}

/** The calls and voicemails that webhooks and the inbox display. A foreign id gets the same response as an unknown one. */
export function addCallContentService(
  server: RpcServer,
  { views, sessionTranscripts, voicemails, voicemailTexts }: CallContentDeps,
): void {
  server.add(CallContentService, services('webhooks', 'messaging-inbox'), {
    async getCallContent({ companyId, callId: id }, { signal }) {
      const call = await sessionTranscripts.whenStored({ companyId, id }, signal);
      const [shown] = call ? await views.show({ companyId, givenTo: 'webhook' }, [call], ADDRESS_VALID_SECS) : [];
      return shown ? { call: shown } : {};
    },
    async getVoicemailContent({ companyId, voicemailId }) {
      const voicemail = await voicemails.of(companyId).get(voicemailId);
      if (!voicemail) return {};
      return { voicemail: voicemailToProto(voicemail, { transcription: voicemailTexts.textOf(voicemail) }) };
    },
  });
}
