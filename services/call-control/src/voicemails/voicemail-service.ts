import type { Clock } from '@parley/clock';
import { notFound, Refused } from '@parley/errors';
import { VoicemailService } from '@parley/proto/call_control/v1/voicemails_service_pb';
import { employees, type RpcServer } from '@parley/rpc';
import type { Blobs } from '../recordings/blob-store.ts';
import type { RecordingSigner } from '../recordings/recording-signer.ts';
import { deleteVoicemail, markListened, type Voicemail } from './voicemail.ts';
import { voicemailToProto } from './voicemail-proto.ts';
import { NEWEST_VOICEMAIL_FIRST, type Voicemails } from './voicemail-store.ts';

/** What the RPCs of voicemails work with. */
export interface VoicemailDeps {
  readonly voicemails: Voicemails;
  readonly blobs: Blobs;
  readonly signer: RecordingSigner;
  readonly clock: Clock;
}

const COUNT_MAX = 1_000_000;
const IDS_MAX = 100;

/** Every RPC of the contract. */
export function addVoicemailService(server: RpcServer, { voicemails, blobs, signer, clock }: VoicemailDeps): void {
  /** An address is given once the audio is there. */
  async function show(voicemail: Voicemail) {
    const isStored = (await blobs.size(voicemail.recording)) !== undefined;
    return voicemailToProto(voicemail, isStored ? signer.url(voicemail.recording, clock.now()) : undefined);
  }
  server.add(VoicemailService, employees.withRole('member'), {
    async *listVoicemails(_request, { principal: { companyId } }) {
      for await (const chunk of voicemails.of(companyId).findInChunks({}, NEWEST_VOICEMAIL_FIRST))
        yield { voicemails: await Promise.all(chunk.map(show)) };
    },
    async countUnlistened(_request, { principal: { companyId } }) {
      return { unlistenedCount: await voicemails.of(companyId).count(COUNT_MAX, { isListened: false }) };
    },
    async getVoicemail({ id }, { principal: { companyId } }) {
      const voicemail = await voicemails.of(companyId).get(id);
      if (!voicemail) throw new Refused(notFound);
      return { voicemail: await show(voicemail) };
    },
    async getVoicemails({ ids }, { principal: { companyId } }) {
      const wanted = ids.slice(0, IDS_MAX);
      const found = await Array.fromAsync(voicemails.of(companyId).find({ id: { $in: wanted } }, { id: 1 }));
      return { voicemails: await Promise.all(found.map(show)) };
    },
    async updateVoicemail({ id, listened }, { principal: { companyId } }) {
      const own = voicemails.of(companyId);
      const voicemail =
        listened === undefined
          ? await own.get(id)
          : await own.change(id, (current) => markListened(current, listened, clock.now()));
      if (!voicemail) throw new Refused(notFound);
      return { voicemail: await show(voicemail) };
    },
    async deleteVoicemail({ id }, { principal: { companyId } }) {
      await voicemails.of(companyId).change(id, deleteVoicemail);
      return {};
    },
  });
}
