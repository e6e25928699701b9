import { encodeEvent } from '@parley/events';
import { freePort, type TestNats } from '@parley/testkit';
import { ContactService } from '@parley/proto/directory/v1/contacts_pb';
import type { Handlers, Principal } from '@parley/rpc';
import {
  type FakeContract,
  fakeContract,
  type FakeIdentity,
  fakeIdentity,
  startServiceForTest,
} from '@parley/testkit/service';
import { service } from '../src/index.ts';

/** The gateway with a fake identity and the contracts that the test answers. */
export interface TestGateway {
  readonly url: string;
  readonly operatorUrl: string;
  readonly healthUrl: string;
  /** Every credential that was verified with identity. */
  readonly verified: readonly string[];
  /** Credentials that are valid. */
  readonly credentials: FakeIdentity['credentials'];
  /** Publishes a live update of a company, like the services. */
  publishLive(companyId: string, update: object): void;
  /** Publishes an event, like the services. */
  publishEvent(event: Parameters<typeof encodeEvent>[0]): void;
  /** Begins the graceful shutdown; resolves when the gateway has stopped. */
  stopGateway(): Promise<void>;
  stop(): Promise<void>;
}

export const ane = { companyId: 'com_1', employeeId: 'emp_1', credentialId: 'key_1' };
export const ANES_KEY = 'pk_ane';
export const OPERATOR_TOKEN = 'operator-token-of-this-test';

export async function startGateway(
  contacts: Partial<Handlers<typeof ContactService, Principal>>,
  settings: Record<string, string> = {},
  peers: Record<string, readonly FakeContract[]> = {},
  nats?: TestNats,
): Promise<TestGateway> {
  const identity = fakeIdentity();
  identity.credentials.set(ANES_KEY, ane);
  const port = await freePort(3);
  const [publicListen, operatorListen, healthListen] = [0, 1, 2].map((next) => `127.0.0.1:${port + next}`);
  const gateway = await startServiceForTest(service, {
    ...(nats && { nats }),
    peers: { identity: identity.contracts, directory: [fakeContract(ContactService, contacts)], ...peers },
    settings: {
      HEALTH_LISTEN: healthListen,
      PUBLIC_LISTEN: publicListen,
      OPERATOR_LISTEN: operatorListen,
      OPERATOR_TOKEN,
      PUBLIC_URL: `http://${publicListen}`,
      CHECK_RESPONSES: 'on',
      ...settings,
    },
  });
  return {
    url: `http://${publicListen}`,
    operatorUrl: `http://${operatorListen}`,
    healthUrl: `http://${healthListen}`,
    verified: identity.verified,
    credentials: identity.credentials,
    publishLive(companyId, update) {
      const { broker } = gateway;
      broker.connection.publish(broker.subject(`live.${companyId}`), JSON.stringify(update));
    },
    publishEvent(event) {
      const { broker } = gateway;
      broker.connection.publish(broker.eventSubject(event), encodeEvent(event));
    },
    stopGateway: gateway.stopService,
    stop: gateway.stop,
  };
}
