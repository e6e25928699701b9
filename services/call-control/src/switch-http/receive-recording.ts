import { Readable } from 'node:stream';
import type { CallRunner } from '../call-runtime/call-runner.ts';
import type { Calls } from '../calls/store/call-store.ts';
import type { Blobs } from '../recordings/blob-store.ts';
import type { Transcriptions } from '../transcripts/start-transcriptions.ts';
import { HEADER_BYTES, readWavHeader, repairedHeader } from '../recordings/wav-header.ts';

/** Four hours of stereo at 16 kHz. */
const RECORDING_BYTES_MAX = 1_000_000_000;

/** How a recording that a switch sends was received, as an HTTP status. */
export type ReceivedStatus = 201 | 404 | 411 | 413 | 415;

/** `cal_…-1`: the call and a number. */
const NAME = /^(cal_[0-9a-z]{32})-\d{1,4}$/;

/** Takes a recording from a switch: safely stored when it answers 201. A repetition answers the same. */
export function receiveRecording(deps: {
  calls: Calls;
  runner: CallRunner;
  blobs: Blobs;
  transcriptions: Pick<Transcriptions, 'order'>;
}) {
  const { calls, runner, blobs, transcriptions } = deps;
  return async (name: string, size: number | undefined, body: Readable): Promise<ReceivedStatus> => {
    const callId = NAME.exec(name)?.[1];
    // A switch serves all companies.
    const call = callId === undefined ? undefined : await calls.acrossCompanies.get(callId);
    const recording = call?.recordings.find((candidate) => candidate.name === name);
    if (!call || !recording) return 404;
    if (size === undefined) return 411;
    if (size > RECORDING_BYTES_MAX) return 413;
    if (recording.status === 'stored' || recording.isDeleted) return 201;
    const { head, rest } = await splitHead(body);
    const header = readWavHeader(head);
    if (!header) return 415;
    await blobs.write(name, Readable.from(concat(repairedHeader(head, header, size), rest)), size);
    const { companyId } = call;
    await transcriptions.order({ id: name, companyId, callId: call.id, kind: recording.kind });
    const durationMs = Math.round(((size - header.dataStart) / header.bytesPerSecond) * 1000);
    const stored = { type: 'recording_stored', recording: name, sizeBytes: size, durationMs } as const;
    const after = await runner.apply(call, stored);
    if (after?.recordings.some((other) => other.name === name && other.isDeleted)) await blobs.remove(name);
    return 201;
  };
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

async function* concat(head: Buffer, rest: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  yield head;
  yield* rest;
}
