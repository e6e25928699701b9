import type { Call } from '@parley/proto/call_control/v1/calls_pb';
import { CallContentService } from '@parley/proto/call_control/v1/calls_service_pb';
import type { Voicemail } from '@parley/proto/call_control/v1/voicemails_pb';
import type { Channel } from '@parley/rpc';

export type SpokenContent = ReturnType<typeof spokenContent>;

/** Adds what was said, which no event carries, to calls and voicemails of events: from call-control, as it is now, which never changes. */
export function spokenContent(callControl: Channel) {
  const contents = callControl.client(CallContentService);
  /** Undefined until the voicemail is transcribed, and once it is deleted. */
  const transcriptionOf = async (companyId: string, voicemailId: string) =>
    (await contents.getVoicemailContent({ companyId, voicemailId })).voicemail?.transcription;
  return {
    transcriptionOf,
    async completeCall(call: Call): Promise<Call> {
      if (!call.hasTranscription) return call;
      const { companyId, id: callId } = call;
      const summary = (await contents.getCallContent({ companyId, callId })).call?.summary;
      return summary === undefined ? call : { ...call, summary };
    },
    async completeVoicemail(voicemail: Voicemail): Promise<Voicemail> {
      if (!voicemail.hasTranscription) return voicemail;
      const transcription = await transcriptionOf(voicemail.companyId, voicemail.id);
      return transcription === undefined ? voicemail : { ...voicemail, transcription };
    },
  };
}
