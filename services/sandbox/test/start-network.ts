import { type MovableClock, movableClock } from '@parley/clock';
import { freePort, scratchDir } from '@parley/testkit';
import type { Leg } from '../src/legs/leg.ts';
import { TelephoneNetwork, type TelephoneNetworkOptions } from '../src/telephony/telephone-network.ts';

export const PASSWORD = 'event socket secret';

export interface TestNetwork {
  readonly network: TelephoneNetwork;
  readonly clock: MovableClock;
  readonly port: number;
  readonly folder: string;
  /** A customer calls. */
  customer(to?: string): Leg;
  /** A phone that is registered as this user. */
  phone(user: string): string;
  /** The leg with this id, once there is one. */
  leg(id: string): Leg;
  stop(): Promise<void>;
}

/** A separate telephone network, without the rest of the sandbox. */
export async function startNetwork(options: Partial<TelephoneNetworkOptions> = {}): Promise<TestNetwork> {
  const clock = movableClock();
  const port = await freePort();
  const scratch = await scratchDir();
  const network = new TelephoneNetwork({
    clock,
    host: '127.0.0.1',
    port,
    credentials: { user: 'call-control', password: PASSWORD },
    mediaSpeed: 50,
    folder: scratch.path,
    ...options,
  });
  await network.start();
  let phones = 0;
  return {
    network,
    clock,
    port,
    folder: scratch.path,
    customer: (to = '+4570000001') =>
      network.dial({
        owner: { kind: 'external', number: '+4520304050' },
        profile: 'external',
        from: { name: 'Ane', number: '+4520304050' },
        to,
        variables: {},
      }),
    phone(user) {
      const port = 30_000 + (phones += 1);
      const uri = `sip:${user}@127.0.0.1:${port}`;
      network.switch.registrations.register({
        callId: `${user}-${phones}`,
        user,
        domain: 'parley.invalid',
        uri,
        port,
        expiresSecs: 300,
        userAgent: 'test',
        variables: { employee_id: user, company_id: 'com_1' },
      });
      return `sofia/internal/${uri}`;
    },
    leg(id) {
      const leg = network.legs.get(id);
      if (!leg) throw new Error(`no leg ${id}`);
      return leg;
    },
    async stop() {
      await network.stop();
      await scratch.remove();
    },
  };
}
