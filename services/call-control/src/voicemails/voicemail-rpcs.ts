import type { Clock } from '@parley/clock';
import { notFound, Refused } from '@parley/errors';
import { VoicemailService } from '@parley/proto/call_control/v1/voicemails_service_pb';
import { type EmployeePrincipal, employees, type RpcServer } from '@parley/rpc';
import type { Blobs } from '../recordings/blob-store.ts';
import type { RecordingSigner } from '../recordings/recording-file.ts';
import { deleteVoicemail, markListened, type Voicemail } from './voicemail.ts';
import { type VoicemailTexts, voicemailToProto } from './voicemail-proto.ts';
import { NEWEST_VOICEMAIL_FIRST, type Voicemails } from './voicemail-store.ts';

interface VoicemailDeps {
  readonly voicemails: Voicemails;
  readonly voicemailTexts: VoicemailTexts;
  readonly blobs: Blobs;
  readonly signer: RecordingSigner;
  readonly clock: Clock;
}

const COUNT_MAX = 1_000_000;
const IDS_MAX = 100;

/** Every RPC of the contract. */
export function addVoicemailService(
  server: RpcServer,
  { voicemails, voicemailTexts, blobs, signer, clock }: VoicemailDeps,
): void {
  /** An address is given once the audio is there. */
  async function show(voicemail: Voicemail, principal: EmployeePrincipal) {
    const isStored = (await blobs.size(voicemail.recording)) !== undefined;
    return voicemailToProto(voicemail, {
      transcription: voicemailTexts.textOf(voicemail),
      recordingUrl: isStored ? signer.url(voicemail.recording, principal, clock.now()) : undefined,
    });
  }
  server.add(VoicemailService, employees.withRole('member'), {
    async *listVoicemails(_request, { principal }) {
      for await (const chunk of voicemails.of(principal.companyId).findInChunks({}, NEWEST_VOICEMAIL_FIRST))
        yield { voicemails: await Promise.all(chunk.map((voicemail) => show(voicemail, principal))) };
    },
    async countUnlistened(_request, { principal: { companyId } }) {
      return { unlistenedCount: await voicemails.of(companyId).count(COUNT_MAX, { isListened: false }) };
    },
    async getVoicemail({ id }, { principal }) {
      const voicemail = await voicemails.of(principal.companyId).get(id);
      if (!voicemail) throw new Refused(notFound);
      return { voicemail: await show(voicemail, principal) };
    },
    async getVoicemails({ ids }, { principal }) {
      const wanted = ids.slice(0, IDS_MAX);
      const found = await Array.fromAsync(voicemails.of(principal.companyId).find({ id: { $in: wanted } }, { id: 1 }));
      return { voicemails: await Promise.all(found.map((voicemail) => show(voicemail, principal))) };
    },
    async updateVoicemail({ id, listened }, { principal }) {
      const own = voicemails.of(principal.companyId);
      const voicemail =
        listened === undefined
          ? await own.get(id)
          : await own.change(id, (current) => markListened(current, listened, clock.now()));
      if (!voicemail) throw new Refused(notFound);
      return { voicemail: await show(voicemail, principal) };
    },
    async deleteVoicemail({ id }, { principal: { companyId } }) {
      await voicemails.of(companyId).change(id, deleteVoicemail);
      return {};
    },
  });
}
