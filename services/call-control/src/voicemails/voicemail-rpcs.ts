import type { Clock } from '@parley/clock';
import { notFound, Refused } from '@parley/errors';
import { VoicemailService } from '@parley/proto/call_control/v1/voicemails_service_pb';
import { type EmployeePrincipal, employees, type RpcServer } from '@parley/rpc';
import { cursorOf, positionFrom } from '../calls/store/list-cursors.ts';
import type { Blobs } from '../recordings/blob-store.ts';
import type { RecordingSigner } from '../recordings/recording-file.ts';
import { deleteVoicemail, markListened, type Voicemail } from './voicemail.ts';
import { type VoicemailTexts, voicemailToProto } from './voicemail-proto.ts';
import { NEWEST_VOICEMAIL_FIRST, newestVoicemails, type Voicemails } from './voicemail-store.ts';

interface VoicemailDeps {
  readonly voicemails: Voicemails;
  readonly voicemailTexts: VoicemailTexts;
  readonly blobs: Blobs;
  readonly signer: RecordingSigner;
  readonly clock: Clock;
}

const COUNT_MAX = 1_000_000;
const IDS_MAX = 100;
const LIMIT_MAX = 100;

/** Every RPC of the contract. */
export function addVoicemailService(
  server: RpcServer,
  { voicemails, voicemailTexts, blobs, signer, clock }: VoicemailDeps,
): void {
  /** An address is given once the audio is there. */
  async function show(page: readonly Voicemail[], principal: EmployeePrincipal) {
    const stored = await blobs.existing(page.map(({ recording }) => recording));
    return page.map((voicemail) =>
      voicemailToProto(voicemail, {
        transcription: voicemailTexts.textOf(voicemail),
        recordingUrl: stored.has(voicemail.recording)
          ? signer.url(voicemail.recording, principal, clock.now())
          : undefined,
      }),
    );
  }
  const showOne = async (voicemail: Voicemail, principal: EmployeePrincipal) => (await show([voicemail], principal))[0];
  server.add(VoicemailService, employees.withRole('member'), {
    async *listVoicemails(_request, { principal }) {
      for await (const chunk of voicemails.of(principal.companyId).findInChunks({}, NEWEST_VOICEMAIL_FIRST))
        yield { voicemails: await show(chunk, principal) };
    },
    async listVoicemailPage({ limit: wanted, cursor }, { principal }) {
      const limit = Math.min(Math.max(wanted, 1), LIMIT_MAX);
      const found = await newestVoicemails(
        voicemails,
        principal.companyId,
        limit + 1,
        cursor === undefined ? undefined : positionFrom(cursor),
      );
      const page = found.slice(0, limit);
      const last = page.at(-1);
      return {
        voicemails: await show(page, principal),
        ...(last && found.length > limit && { nextCursor: cursorOf({ startedAt: last.createdAt, id: last.id }) }),
      };
    },
    async countUnlistened(_request, { principal: { companyId } }) {
      return { unlistenedCount: await voicemails.of(companyId).count(COUNT_MAX, { isListened: false }) };
    },
    async getVoicemail({ id }, { principal }) {
      const voicemail = await voicemails.of(principal.companyId).get(id);
      if (!voicemail) throw new Refused(notFound);
      return { voicemail: await showOne(voicemail, principal) };
    },
    async getVoicemails({ ids }, { principal }) {
      const wanted = ids.slice(0, IDS_MAX);
      const found = await Array.fromAsync(voicemails.of(principal.companyId).find({ id: { $in: wanted } }, { id: 1 }));
      return { voicemails: await show(found, principal) };
    },
    async updateVoicemail({ id, listened }, { principal }) {
      const own = voicemails.of(principal.companyId);
      const voicemail =
        listened === undefined
          ? await own.get(id)
          : await own.change(id, (current) => markListened(current, listened, clock.now()));
      if (!voicemail) throw new Refused(notFound);
      return { voicemail: await showOne(voicemail, principal) };
    },
    async deleteVoicemail({ id }, { principal: { companyId } }) {
      await voicemails.of(companyId).change(id, deleteVoicemail);
      return {};
    },
  });
}
