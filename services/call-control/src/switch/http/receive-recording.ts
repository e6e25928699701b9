import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { keyedQueue } from '@parley/queues';
import type { CallRunner } from '../../calls/store/call-runner.ts';
import type { Calls } from '../../calls/store/call-store.ts';
import type { Blobs } from '../../recordings/blob-store.ts';
import { callIdOf, type RecordingFile } from '../../recordings/recording-file.ts';
import type { Transcriptions } from '../../transcripts/start-transcriptions.ts';
import { HEADER_BYTES, readWavHeader, repairedHeader } from '../../recordings/wav-header.ts';

/** Four hours of stereo at 16 kHz. */
const RECORDING_BYTES_MAX = 1_000_000_000;

/** The HTTP status of an upload. */
export type ReceivedStatus = 201 | 404 | 409 | 411 | 413;

/** A recording as a switch sends it. `size` is that of the body, if it is known. */
export interface SentRecording {
  /** The switch, as it has authenticated itself. */
  readonly switchName: string;
  readonly name: string;
  readonly size: number | undefined;
  readonly body: Readable;
}

/**
 * Takes a recording of a call from the call's own switch, once, when the switch has finished it: safely stored when it
 * answers 201. A repetition with the same content answers the same; other content is refused. The first content that is
 * stored completely stays, whichever process stored it, and the call gets its hash; the switch need not repeat what is
 * refused for good. What is no audio that can be read is kept as it is, and not transcribed: it is all that there is.
 */
export function receiveRecording(deps: {
  calls: Calls;
  runner: CallRunner;
  blobs: Blobs;
  transcriptions: Pick<Transcriptions, 'order'>;
  onRefused: (status: ReceivedStatus) => void;
}) {
  const { calls, runner, blobs, transcriptions, onRefused } = deps;
  /** A repetition is compared with what was stored, so it waits for it. */
  const queue = keyedQueue();

  async function receive({ switchName, name, size, body }: SentRecording): Promise<ReceivedStatus> {
    const callId = callIdOf(name);
    // A switch serves all companies.
    const call = callId === undefined ? undefined : await calls.acrossCompanies.get(callId);
    const recording = call?.recordings.find((candidate) => candidate.name === name);
    // A recording of another switch's call is as unknown as one that does not exist.
    if (!call || !recording || call.switch.name !== switchName) return 404;
    if (size === undefined || !Number.isSafeInteger(size)) return 411;
    const refuse = async (status: ReceivedStatus): Promise<ReceivedStatus> => {
      await runner.apply(call, { type: 'recording_refused', recording: name, status });
      onRefused(status);
      return status;
    };
    if (size > RECORDING_BYTES_MAX) return refuse(413);
    if (recording.isDeleted) {
      // An earlier upload may have been stored after the deletion.
      await blobs.remove(name);
      return 201;
    }
    if (recording.status === 'started') return 409;
    if (recording.status === 'stored' && recording.sizeBytes !== size) return refuse(409);
    const { head, rest } = await splitHead(body);
    const header = readWavHeader(head);
    const hash = createHash('sha256');
    const content = hashed(concat(header ? repairedHeader(head, header, size) : head, rest), hash);
    if (recording.status === 'stored') return (await isSame(recording, content, hash)) ? 201 : refuse(409);
    const contentHash = await store(name, content, hash, size);
    if (contentHash === undefined) return refuse(409);
    const { companyId } = call;
    const durationMs = header ? Math.round(((size - header.dataStart) / header.bytesPerSecond) * 1000) : null;
    if (durationMs !== null)
      await transcriptions.order({ id: name, companyId, callId: call.id, kind: recording.kind, durationMs });
    const stored = { type: 'recording_stored', recording: name, sizeBytes: size, contentHash, durationMs } as const;
    const after = await runner.apply(call, stored);
    // The call may be gone by now.
    if (!after || after.recordings.some((other) => other.name === name && other.isDeleted)) await blobs.remove(name);
    return 201;
  }

  /** The hash of what is stored; undefined when something else is. */
  async function store(
    name: string,
    content: AsyncIterable<Buffer>,
    hash: ReturnType<typeof createHash>,
    size: number,
  ): Promise<string | undefined> {
    const earlier = await blobs.read(name);
    // A process may have ended after it stored a recording, or another one is storing it.
    if (earlier) {
      const storedHash = await hashOf(earlier as AsyncIterable<Buffer>);
      return (await isSame({ contentHash: storedHash }, content, hash)) ? storedHash : undefined;
    }
    if ((await blobs.write(name, Readable.from(content), size)) === 'exists')
      throw new Error('the recording was stored by another process at the same time');
    return hash.digest('hex');
  }

  return (sent: SentRecording): Promise<ReceivedStatus> => queue.run(sent.name, () => receive(sent));
}

async function isSame(
  { contentHash }: Pick<RecordingFile, 'contentHash'>,
  content: AsyncIterable<Buffer>,
  hash: ReturnType<typeof createHash>,
): Promise<boolean> {
  // oxlint-disable-next-line no-unused-vars
  for await (const _chunk of content);
  return hash.digest('hex') === contentHash;
}

async function hashOf(content: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk);
  return hash.digest('hex');
}

async function* hashed(
  content: AsyncIterable<Buffer>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
}

async function splitHead(body: Readable): Promise<{ head: Buffer; rest: AsyncIterable<Buffer> }> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let head = Buffer.alloc(0);
  while (head.length < HEADER_BYTES) {
    const { value, done } = await chunks.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  return { head, rest: { [Symbol.asyncIterator]: () => chunks } };
}

async function* concat(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  yield head;
  yield* rest;
}
