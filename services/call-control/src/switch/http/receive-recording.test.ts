import { Readable } from 'node:stream';
import { expect, it, jest } from '@jest/globals';
import { pcm16Format, wavHeader } from '@parley/audio';
import type { CallRunner } from '../../calls/store/call-runner.ts';
import type { Calls } from '../../calls/store/call-store.ts';
import { inbound, voicemail } from '../../../test/test-call.ts';
import type { Blobs } from '../../recordings/blob-store.ts';
import { receiveRecording, type SentRecording } from './receive-recording.ts';

const id = `cal_${'0'.repeat(32)}`;
const name = `${id}-1`;
const samples = Buffer.alloc(32_000);
const file = Buffer.concat([wavHeader(pcm16Format(1, 16_000), samples.length), samples]);

/** A call with a voicemail whose audio is still on the switch; its caller has hung up, or still speaks. */
function leftVoicemail({
  onWrite = () => {},
  hasEnded = true,
}: { onWrite?: (stored: Map<string, Buffer>) => void; hasEnded?: boolean } = {}) {
  const test = inbound(voicemail);
  test.finishPlayback();
  test.finishPlayback();
  if (hasEnded) test.hangUp();
  test.call = {
    ...test.call,
    id,
    recordings: test.call.recordings.map((recording) => ({ ...recording, name })),
    ...(test.call.awaitedVoicemail && { awaitedVoicemail: name }),
  };
  const stored = new Map<string, Buffer>();
  const order = jest.fn(async () => {});
  const refused: number[] = [];
  const receive = receiveRecording({
    calls: { acrossCompanies: { get: async () => test.call } } as unknown as Calls,
    runner: { apply: async (_key, input) => (test.apply(input), test.call) } as CallRunner,
    blobs: {
      write: async (blob: string, content: Readable) => {
        const bytes = Buffer.concat(await Array.fromAsync(content as AsyncIterable<Buffer>));
        onWrite(stored);
        if (stored.has(blob)) return 'exists';
        stored.set(blob, bytes);
        return 'written';
      },
      read: async (blob: string) => (stored.has(blob) ? Readable.from([stored.get(blob)!]) : undefined),
      remove: async (blob: string) => void stored.delete(blob),
    } as Partial<Blobs> as Blobs,
    transcriptions: { order },
    onRefused: (status) => refused.push(status),
  });
  const { name: switchName } = test.call.switch;
  const send = (bytes: Buffer, change: Partial<SentRecording> = {}) =>
    receive({ switchName, name, size: bytes.length, body: Readable.from([bytes]), ...change });
  return { test, stored, order, refused, send, receive: () => send(file) };
}

it('the recording of a voicemail is stored and transcribed', async () => {
  const { test, stored, order, receive } = leftVoicemail();
  expect(await receive()).toBe(201);
  expect(stored.get(name)).toEqual(file);
  expect(order).toHaveBeenCalledTimes(1);
  expect(test.call.recordings).toMatchObject([{ status: 'stored', durationMs: 1000 }]);
});

it('the recording of a voicemail that was deleted is taken from the switch, but not kept', async () => {
  const { test, stored, order, receive } = leftVoicemail();
  test.apply({ type: 'voicemail_deleted', recording: name });
  expect(await receive()).toBe(201);
  expect([stored.size, order.mock.calls.length]).toEqual([0, 0]);
});

it('the recording of a voicemail that is deleted meanwhile is not kept', async () => {
  const { stored, receive, test } = leftVoicemail({
    onWrite: () => test.apply({ type: 'voicemail_deleted', recording: name }),
  });
  expect(await receive()).toBe(201);
  expect(stored.size).toBe(0);
});

it('a recording is taken once: a repetition is answered the same, other content is refused', async () => {
  const { stored, order, send, receive } = leftVoicemail();
  expect(await receive()).toBe(201);
  expect(await receive()).toBe(201);
  const forged = Buffer.from(file);
  forged.writeInt16LE(1, 1000);
  expect(await send(forged)).toBe(409);
  expect(await send(Buffer.concat([file, samples]))).toBe(409);
  expect(stored.get(name)).toEqual(file);
  expect(order).toHaveBeenCalledTimes(1);
});

it('two uploads at the same time are one recording', async () => {
  const { stored, send, receive } = leftVoicemail();
  const forged = Buffer.from(file);
  forged.writeInt16LE(1, 1000);
  expect(await Promise.all([receive(), send(forged), receive()])).toEqual([201, 409, 201]);
  expect(stored.get(name)).toEqual(file);
});

it('a recording that another process has stored at the same time is not replaced', async () => {
  const forged = Buffer.from(file);
  forged.writeInt16LE(1, 1000);
  const { test, stored, order, send, receive } = leftVoicemail({ onWrite: (blobs) => void blobs.set(name, file) });
  await expect(send(forged)).rejects.toThrow('by another process');
  expect([stored.get(name), test.call.recordings[0]?.status]).toEqual([file, 'stopped']);
  // Its process ended before the call had the recording: the switch sends it again.
  expect(await receive()).toBe(201);
  expect([order.mock.calls.length, test.call.recordings[0]?.status]).toEqual([1, 'stored']);
  expect(await send(forged)).toBe(409);
  expect(stored.get(name)).toEqual(file);
});

it('a recording that is refused for good is noted once, and its voicemail stays without audio', async () => {
  const { test, refused, send } = leftVoicemail();
  const size = 1_000_000_001;
  expect([await send(file, { size }), await send(file, { size })]).toEqual([413, 413]);
  expect(refused).toEqual([413, 413]);
  const recordings = [{ status: 'missing', isRefused: true }];
  expect(test.call).toMatchObject({ voicemailId: expect.stringMatching(/^vm_/), awaitedVoicemail: null, recordings });
  expect(test.call.timeline.filter(({ what }) => what === 'recording_refused')).toMatchObject([{ detail: '413' }]);
  test.pass(7200);
  expect(test.call.voicemailId).not.toBeNull();
  expect(test.commands.some(({ kind }) => kind === 'withdraw_voicemail')).toBe(false);
});

it('a recording that was stored stays when other audio is refused', async () => {
  const { test, send, receive } = leftVoicemail();
  await receive();
  expect(await send(Buffer.concat([file, samples]))).toBe(409);
  expect(test.call.recordings).toMatchObject([{ status: 'stored', isRefused: true }]);
  expect(test.call.voicemailId).not.toBeNull();
});

it('a recording is taken from the switch of its call only, and not before it has stopped', async () => {
  const { stored, send, receive } = leftVoicemail();
  expect(await send(file, { switchName: 'another' })).toBe(404);
  expect(await leftVoicemail({ hasEnded: false }).receive()).toBe(409);
  expect(stored.size).toBe(0);
  expect(await receive()).toBe(201);
  expect(await send(file, { switchName: 'another' })).toBe(404);
});

it.each([
  ['at 800,001 Hz', (bytes: Buffer) => bytes.writeUInt32LE(800_001, 24)],
  ['with 8 channels', (bytes: Buffer) => bytes.writeUInt16LE(8, 22)],
  ['with 8 bits', (bytes: Buffer) => bytes.writeUInt16LE(8, 34)],
  ['with other bytes in a second than its rate', (bytes: Buffer) => bytes.writeUInt32LE(1, 28)],
  ['that is no WAV file', (bytes: Buffer) => bytes.write('OggS')],
])('a recording %s is kept as it is, as a voicemail without transcription', async (_title, change) => {
  const { test, stored, order, refused, send } = leftVoicemail();
  const bytes = Buffer.from(file);
  change(bytes);
  expect([await send(bytes), await send(bytes)]).toEqual([201, 201]);
  expect(stored.get(name)).toEqual(bytes);
  expect([order.mock.calls.length, refused]).toEqual([0, []]);
  expect(test.call).toMatchObject({ voicemailId: expect.stringMatching(/^vm_/), recordings: [{ status: 'stored' }] });
  test.pass(7200);
  expect(test.commands.some(({ kind }) => kind === 'withdraw_voicemail')).toBe(false);
});

it.each([
  ['zero', 8, 0],
  ['too small, because it was written twice', 3236, 3200],
  ['too large, because the switch was killed', 0xffffffff, 0xffffffff],
  ['that of no samples', 36, 1],
])(
  'a recording whose header has a size that is %s is repaired from its bytes, and transcribed',
  async (_title, riff, data) => {
    const { test, stored, order, send } = leftVoicemail();
    const wrong = Buffer.from(file);
    wrong.writeUInt32LE(riff, 4);
    wrong.writeUInt32LE(data, 40);
    expect([await send(wrong), await send(wrong)]).toEqual([201, 201]);
    expect(stored.get(name)).toEqual(file);
    expect(order).toHaveBeenCalledTimes(1);
    expect(test.call).toMatchObject({ voicemailId: expect.stringMatching(/^vm_/), recordings: [{ durationMs: 1000 }] });
  },
);

it('a recording without a size, or with more than is stored, is refused', async () => {
  const { send } = leftVoicemail();
  expect(await send(file, { size: undefined })).toBe(411);
  expect(await send(file, { size: 1_000_000_001 })).toBe(413);
});
