import type { Clock } from '@parley/clock';
import { notFound, Refused, refusal } from '@parley/errors';
import { RecordingService, type SignedRecording as GivenRecording } from '@parley/proto/call_control/v1/recordings_pb';
import { type RpcServer, services } from '@parley/rpc';
import type { Blobs } from './blob-store.ts';
import type { RecordingSigner, SignedRecording } from './recording-signer.ts';

export interface RecordingDeps {
  /** True while the audio is still to be fetched from the switch: events name it before. */
  readonly isAwaited: (name: string) => Promise<boolean>;
  readonly blobs: Blobs;
  readonly signer: RecordingSigner;
  /** Resolves when it is stored that somebody listens. */
  readonly recordListening: (recording: SignedRecording) => Promise<void>;
  /** True for an address that is not to be used for now. */
  readonly isStopped: (recording: SignedRecording) => Promise<boolean>;
  readonly clock: Clock;
}

const PART_BYTES = 64 * 1024;
const notReady = refusal('recording_not_ready', 'The recording is being fetched.');

/** The audio behind signed addresses. An address that we did not write, or that has expired, names nothing. */
export function addRecordingService(
  server: RpcServer,
  { isAwaited, isStopped, recordListening, blobs, signer, clock }: RecordingDeps,
): void {
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
      await recordListening(signed);
      for await (const chunk of content as AsyncIterable<Buffer>)
        for (let at = 0; at < chunk.length; at += PART_BYTES) yield { data: chunk.subarray(at, at + PART_BYTES) };
    },
  });
}
