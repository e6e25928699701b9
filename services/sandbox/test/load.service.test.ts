import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit';
import { EventSocketClient } from './event-socket-client.ts';
import { PASSWORD, startNetwork, type TestNetwork } from './start-network.ts';

const CALLS = 200;
const PER_SECOND = 50;

let test: TestNetwork;
let client: EventSocketClient;
beforeAll(async () => {
  test = await startNetwork();
  client = await EventSocketClient.open(test.port, PASSWORD);
});
afterAll(async () => {
  client.close();
  await test.stop();
});

describe('fifty calls a second', () => {
  it('fifty calls a second are set up, connected and ended, and nothing of them is left', async () => {
    const contact = test.phone('emp_1');
    const completed: string[] = [];

    /** Arrives, is answered, hears a beep, rings a phone, is connected, and ends. */
    async function call(number: number): Promise<void> {
      const { id } = test.customer();
      const phone = `phone-${number}`;
      await client.untilEvent(id, 'CHANNEL_PARK');
      await client.api(`sched_del ${id}`);
      await client.api(`uuid_answer ${id}`);
      await client.play(id, 'tone_stream://%(500,0,1000)', `beep-${number}`);
      const job = client.job(`originate {origination_uuid=${phone},originate_timeout=20}${contact} &park()`);
      await client.untilEvent(phone, 'CHANNEL_PROGRESS');
      test.network.answer(test.leg(phone));
      expect(await job).toBe(`+OK ${phone}`);
      await client.untilEvent(phone, 'CHANNEL_PARK');
      await client.api(`uuid_bridge ${id} ${phone}`);
      await client.untilEvent(id, 'CHANNEL_BRIDGE');
      test.network.hangUp(test.leg(id));
      await client.untilEvent(phone, 'CHANNEL_HANGUP_COMPLETE');
      await client.untilEvent(id, 'CHANNEL_HANGUP_COMPLETE');
      completed.push(id);
    }

    const calls: Promise<void>[] = [];
    for (let number = 0; number < CALLS; number += 1) {
      calls.push(call(number));
      await sleep(1000 / PER_SECOND);
    }
    await Promise.all(calls);
    await waitUntil(() => test.network.report().busy === 0, { what: 'the network to come to rest' });
    expect(completed).toHaveLength(CALLS);
    expect(test.network.switch.channels.size).toBe(0);
    expect(test.network.legs.live()).toEqual([]);
    const sequences = client.events.map(({ headers }) => Number(headers['Event-Sequence']));
    expect(sequences).toEqual(sequences.toSorted((one, other) => one - other));
  }, 60_000);
});
