import { describe, expect, it } from '@jest/globals';
import { KeyReceiver, KeySender } from './telephone-event.ts';

/** What is sent in each of the next frames. */
function frames(sender: KeySender, count: number, from = 0) {
  return Array.from({ length: count }, (_, frame) => sender.next(from + frame * 160));
}

describe('KeySender', () => {
  it('KeySender sends a key with growing duration and its end three times', async () => {
    const sender = new KeySender();
    const pressed = sender.press('#');
    const packets = frames(sender, 9);
    expect(packets.map((packet) => packet && [...packet.payload])).toEqual([
      [11, 10, 0, 160],
      [11, 10, 1, 64],
      [11, 10, 1, 224],
      [11, 10, 2, 128],
      [11, 10, 3, 32],
      [11, 138, 3, 192],
      [11, 138, 3, 192],
      [11, 138, 3, 192],
      undefined,
    ]);
    expect(packets.map((packet) => packet?.marker).slice(0, 3)).toEqual([true, false, false]);
    expect(new Set(packets.slice(0, 8).map((packet) => packet?.timestamp))).toEqual(new Set([0]));
    await pressed;
  });

  it('KeySender leaves a pause between two keys, which the receiver tells apart', () => {
    const sender = new KeySender();
    void sender.press('1');
    void sender.press('1');
    const receiver = new KeyReceiver();
    const keys = frames(sender, 40, 0xffffff00).map(
      (packet) => packet && receiver.receive(packet.payload, packet.timestamp >>> 0),
    );
    expect(keys.filter((key) => key !== undefined)).toEqual(['1', '1']);
  });

  it('KeySender leaves nobody waiting at its end', async () => {
    const sender = new KeySender();
    const pressed = sender.press('5');
    sender.close();
    await pressed;
    expect(frames(sender, 3)).toEqual([undefined, undefined, undefined]);
  });
});

describe('KeyReceiver', () => {
  const packet = (event: number) => Buffer.from([event, 10, 0, 160]);

  it('KeyReceiver takes a key at any of its packets, once', () => {
    const receiver = new KeyReceiver();
    expect([receiver.receive(packet(5), 800), receiver.receive(packet(5), 800)]).toEqual(['5', undefined]);
  });

  it('KeyReceiver takes no late packet of the key before', () => {
    const receiver = new KeyReceiver();
    expect([800, 1600, 800].map((timestamp) => receiver.receive(packet(5), timestamp))).toEqual(['5', '5', undefined]);
  });

  it.each([[Buffer.alloc(0)], [Buffer.from([1, 2, 3])], [packet(16)], [packet(255)]])(
    'KeyReceiver takes nothing else (%#)',
    (payload) => {
      expect(new KeyReceiver().receive(payload, 1)).toBeUndefined();
    },
  );
});
