import { SessionContentService } from '@parley/proto/assistant/v1/session_control_pb';
import type { Session } from '@parley/proto/assistant/v1/sessions_pb';
import type { Call } from '@parley/proto/call_control/v1/calls_pb';
import { CallContentService } from '@parley/proto/call_control/v1/calls_service_pb';
import type { Voicemail } from '@parley/proto/call_control/v1/voicemails_pb';
import type { Channel } from '@parley/rpc';

export type SpokenContent = ReturnType<typeof spokenContent>;

/** Calls that are asked about at once. */
const PAGE = 100;

/** What was said, which no event carries, of calls and voicemails of events: from where it is stored, as it is now, which never changes. */
export function spokenContent(peers: { readonly callControl: Channel; readonly assistant: Channel }) {
  const contents = peers.callControl.client(CallContentService);
  const sessionContents = peers.assistant.client(SessionContentService);
  /** The sessions of calls with an assistant, by the ids of the calls. */
  async function sessionsOf(companyId: string, callIds: readonly string[]): Promise<ReadonlyMap<string, Session>> {
    const found = new Map<string, Session>();
    for (let from = 0; from < callIds.length; from += PAGE) {
      const page = { companyId, callIds: callIds.slice(from, from + PAGE) };
      for (const session of (await sessionContents.listSessionContents(page)).sessions)
        found.set(session.callId, session);
    }
    return found;
  }
  /** Undefined until the voicemail is transcribed, and once it is deleted. */
  const transcriptionOf = async (companyId: string, voicemailId: string) =>
    (await contents.getVoicemailContent({ companyId, voicemailId })).voicemail?.transcription;
  return {
    transcriptionOf,
    sessionsOf,
    /** Undefined for a call that is not there any more. */
    async callOf(companyId: string, callId: string): Promise<Call | undefined> {
      return (await contents.getCallContent({ companyId, callId })).call;
    },
    /** The call with its summary, and the message that an assistant took in it. */
    async completeCall(call: Call): Promise<{ readonly call: Call; readonly message?: string | undefined }> {
      const { companyId, id: callId } = call;
      const hasSession = call.assistant?.sessionStored ?? false;
      if (!call.hasTranscription && !hasSession) return { call };
      const [content, sessions] = await Promise.all([
        contents.getCallContent({ companyId, callId }),
        hasSession ? sessionsOf(companyId, [callId]) : undefined,
      ]);
      const summary = content.call?.summary;
      const message = sessions?.get(callId)?.message?.text;
      return { call: summary === undefined ? call : { ...call, summary }, message };
    },
    async completeVoicemail(voicemail: Voicemail): Promise<Voicemail> {
      if (!voicemail.hasTranscription) return voicemail;
      const transcription = await transcriptionOf(voicemail.companyId, voicemail.id);
      return transcription === undefined ? voicemail : { ...voicemail, transcription };
    },
  };
}
