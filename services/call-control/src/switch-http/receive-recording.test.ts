import { Readable } from 'node:stream';
import { expect, it, jest } from '@jest/globals';
import { pcm16Format, wavHeader } from '@parley/audio';
import type { CallRunner } from '../call-runtime/call-runner.ts';
import type { Calls } from '../calls/store/call-store.ts';
import { inbound, voicemail } from '../calls/state-machine/test-call.ts';
import type { Blobs } from '../recordings/blob-store.ts';
import { receiveRecording } from './receive-recording.ts';

const id = `cal_${'0'.repeat(32)}`;
const name = `${id}-1`;
const samples = Buffer.alloc(32_000);
const file = Buffer.concat([wavHeader(pcm16Format(1, 16_000), samples.length), samples]);

/** A call with a voicemail whose audio is still on the switch. */
function leftVoicemail(onWrite: () => void = () => {}) {
  const test = inbound(voicemail);
  test.finishPlayback();
  test.finishPlayback();
  test.call = { ...test.call, id, recordings: test.call.recordings.map((recording) => ({ ...recording, name })) };
  const stored = new Map<string, Buffer>();
  const order = jest.fn(async () => {});
  const receive = receiveRecording({
    calls: { acrossCompanies: { get: async () => test.call } } as unknown as Calls,
    runner: { apply: async (_key, input) => (test.apply(input), test.call) } as CallRunner,
    blobs: {
      write: async (blob: string, content: Readable) => {
        stored.set(blob, Buffer.concat(await Array.fromAsync(content as AsyncIterable<Buffer>)));
        onWrite();
      },
      remove: async (blob: string) => void stored.delete(blob),
    } as Partial<Blobs> as Blobs,
    transcriptions: { order },
  });
  return { test, stored, order, receive: () => receive(name, file.length, Readable.from([file])) };
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
  const { stored, receive, test } = leftVoicemail(() => test.apply({ type: 'voicemail_deleted', recording: name }));
  expect(await receive()).toBe(201);
  expect(stored.size).toBe(0);
});
