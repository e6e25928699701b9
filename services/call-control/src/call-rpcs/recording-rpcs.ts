import type { Clock } from '@parley/clock';
import { notFound, refusal, Refused } from '@parley/errors';
import { RecordingService, type SignedRecording as GivenRecording } from '@parley/proto/call_control/v1/recordings_pb';
import { type RpcServer, services } from '@parley/rpc';
import type { Calls } from '../calls/store/call-store.ts';
import type { CompanyOf } from '../clients/company-client.ts';
import type { Listenings } from '../listenings/listening-store.ts';
import { callIdOf, isExpected, type RecordingSigner, type SignedRecording } from '../recordings/recording-file.ts';
import type { Blobs } from '../recordings/blob-store.ts';

interface RecordingDeps {
  readonly calls: Pick<Calls, 'acrossCompanies'>;
  readonly listenings: Pick<Listenings, 'record' | 'findPlayed'>;
  readonly companyOf: CompanyOf;
  readonly blobs: Blobs;
  readonly signer: RecordingSigner;
  readonly clock: Clock;
}

const PART_BYTES = 64 * 1024;
const notReady = refusal('recording_not_ready', 'The recording is being fetched.');

/** The audio behind signed addresses. An address that we did not write, or that has expired, names nothing. */
export function addRecordingService(
  server: RpcServer,
  { calls, listenings, companyOf, blobs, signer, clock }: RecordingDeps,
): void {
  /** True while the audio is still to be fetched from the switch: events name it before. */
  async function isAwaited(name: string): Promise<boolean> {
    const callId = callIdOf(name);
    const call = callId === undefined ? undefined : await calls.acrossCompanies.get(callId);
    return call?.recordings.some((recording) => recording.name === name && isExpected(recording)) ?? false;
  }

  /** True for an address in a webhook event, which ends with no credential, while its company is suspended. */
  async function isStopped({ givenTo, name }: SignedRecording): Promise<boolean> {
    if (givenTo !== 'webhook') return false;
    const played = await listenings.findPlayed(name);
    const company = played && (await companyOf(played.companyId));
    return !company || company.isSuspended === true;
  }

  async function verified(
    recording: GivenRecording | undefined,
  ): Promise<{ signed: SignedRecording; name: string; size: number }> {
    if (!recording) throw new Refused(notFound);
    const { name, expires, signature, givenTo } = recording;
    const signed = { name, expires: Number(expires), signature, givenTo };
    if (!signer.verify(signed, clock.now()) || (await isStopped(signed))) throw new Refused(notFound);
    const size = await blobs.size(name);
    if (size === undefined) throw new Refused((await isAwaited(name)) ? notReady : notFound);
    return { signed, name, size };
  }

  server.add(RecordingService, services('gateway'), {
    async statRecording({ recording }) {
      const { size } = await verified(recording);
      return { sizeBytes: BigInt(size), contentType: 'audio/wav' };
    },
    async *readRecording({ recording, start, end }) {
      const { signed, name, size } = await verified(recording);
      const range = { start: Number(start), end: Math.min(Number(end), size) };
      const content = range.start < range.end ? await blobs.read(name, range) : undefined;
      if (!content) return;
      // Before the first byte: nothing is heard that is not in the audit log.
      await listenings.record(signed);
      for await (const chunk of content as AsyncIterable<Buffer>)
        for (let at = 0; at < chunk.length; at += PART_BYTES) yield { data: chunk.subarray(at, at + PART_BYTES) };
    },
  });
}
