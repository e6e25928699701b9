import type { MessageInitShape } from '@bufbuild/protobuf';
import { SessionContentService } from '@parley/proto/assistant/v1/session_control_pb';
import type { SessionSchema } from '@parley/proto/assistant/v1/sessions_pb';
import { CallBackfillService } from '@parley/proto/call_control/v1/backfill_pb';
import type { CallSchema } from '@parley/proto/call_control/v1/calls_pb';
import { CallContentService } from '@parley/proto/call_control/v1/calls_service_pb';
import type { VoicemailSchema } from '@parley/proto/call_control/v1/voicemails_pb';
import { ContactLookupService } from '@parley/proto/directory/v1/contact_lookup_pb';
import type { ContactSchema } from '@parley/proto/directory/v1/contacts_pb';
import { fakeContract } from '@parley/testkit/service';

/** The owners of calls, voicemails, sessions of assistants and contacts, with the data of the test. */
export function testOwners() {
  const calls: MessageInitShape<typeof CallSchema>[] = [];
  const voicemails: MessageInitShape<typeof VoicemailSchema>[] = [];
  const sessions: MessageInitShape<typeof SessionSchema>[] = [];
  /** Keyed by company. */
  const contacts = new Map<string, MessageInitShape<typeof ContactSchema>[]>();
  return {
    calls,
    voicemails,
    sessions,
    contacts,
    assistant: fakeContract(SessionContentService, {
      async listSessionContents({ companyId, callIds }) {
        const found = sessions.filter((one) => one.companyId === companyId && callIds.includes(one.callId ?? ''));
        return { sessions: found };
      },
    }),
    callContents: fakeContract(CallContentService, {
      async getCallContent({ companyId, callId }) {
        const call = calls.find((one) => one.id === callId && one.companyId === companyId);
        return call ? { call } : {};
      },
      async getVoicemailContent({ companyId, voicemailId }) {
        const voicemail = voicemails.find((one) => one.id === voicemailId && one.companyId === companyId);
        return voicemail ? { voicemail } : {};
      },
    }),
    callControl: fakeContract(CallBackfillService, {
      async *listCallsForBackfill({ companyId }) {
        for (const call of calls) if (call.companyId === companyId) yield { calls: [call] };
      },
      async *listVoicemailsForBackfill({ companyId }) {
        yield { voicemails: voicemails.filter((voicemail) => voicemail.companyId === companyId) };
      },
    }),
    directory: fakeContract(ContactLookupService, {
      async *listContactsForBackfill({ companyId }) {
        yield { contacts: (contacts.get(companyId) ?? []).map((contact) => ({ companyId, contact })), cursor: '' };
      },
    }),
  };
}
