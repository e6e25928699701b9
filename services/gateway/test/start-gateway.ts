import { generateKeyPairSync } from 'node:crypto';
import { ContactService } from '@parley/proto/directory/v1/contacts_pb';
import { CredentialService } from '@parley/proto/identity/v1/credentials_pb';
import {
  createRpcServer,
  createVerifier,
  type EmployeePrincipal,
  employees,
  type Handlers,
  services,
} from '@parley/rpc';
import { startService } from '@parley/service';
import { startTelemetry } from '@parley/telemetry';
import { scratchDir, testNats, uniqueName } from '@parley/testkit';
import { freePort } from '@parley/embedded';
import { service } from '../src/index.ts';

/** The gateway as it runs, with a real NATS and real gRPC; identity and directory are played by the test. */
export interface TestGateway {
  readonly url: string;
  readonly operatorUrl: string;
  readonly healthUrl: string;
  /** Every credential that identity was asked about. */
  readonly verified: readonly string[];
  /** Begins the graceful shutdown; resolves when the gateway has stopped. */
  stopGateway(): Promise<void>;
  stop(): Promise<void>;
}

export const ane = { companyId: 'com_1', employeeId: 'emp_1', credentialId: 'key_1' };
export const ANES_KEY = 'pk_ane';
export const OPERATOR_TOKEN = 'operator token of this test';

export async function startGateway(
  contacts: Partial<Handlers<typeof ContactService, EmployeePrincipal>>,
  settings: Record<string, string> = {},
): Promise<TestGateway> {
  await using started = new AsyncDisposableStack();
  const scratch = await scratchDir();
  started.defer(() => scratch.remove());
  const key = keyPair();
  const telemetry = startTelemetry({ service: 'test', version: '0', logLevel: 'silent' });
  const address = (name: string) => `unix:${scratch.path}/${name}.sock`;
  const verify = createVerifier({ gateway: key.publicKey });
  const server = () => createRpcServer({ telemetry, verify, ready: async () => true });
  const unplayed = async (): Promise<never> => Promise.reject(new Error('not played by this test'));

  const verified: string[] = [];
  const identity = server();
  identity.add(CredentialService, services('gateway'), {
    async verifyApiKey({ apiKey }) {
      verified.push(apiKey);
      return apiKey === ANES_KEY ? { principal: ane } : {};
    },
    verifyAccessToken: async ({ accessToken }) => (verified.push(accessToken), {}),
    verifySession: unplayed,
    endEmployee: unplayed,
  });
  await identity.listen(address('identity'));
  started.defer(() => identity.close(0));

  const directory = server();
  directory.add(ContactService, employees, {
    createContact: unplayed,
    getContact: unplayed,
    findContactByPhone: unplayed,
    searchContacts: unplayed,
    updateContact: unplayed,
    deleteContact: unplayed,
    async *listContacts() {},
    ...contacts,
  });
  await directory.listen(address('directory'));
  started.defer(() => directory.close(0));

  const nats = testNats();
  const [publicListen, operatorListen, healthListen] = await freeAddresses(3);
  const running = await startService(service, {
    LOG_LEVEL: 'silent',
    HEALTH_LISTEN: healthListen,
    PUBLIC_LISTEN: publicListen,
    OPERATOR_LISTEN: operatorListen,
    OPERATOR_TOKEN,
    PUBLIC_URL: `http://${publicListen}`,
    SIGNING_KEY: key.privateKey,
    TRUSTED_KEYS: '{}',
    CHECK_RESPONSES: 'on',
    NATS_URL: nats.url,
    NATS_USER: nats.user,
    NATS_PASSWORD: nats.password,
    NATS_PREFIX: uniqueName('t').replace('_', '-'),
    IDENTITY_ADDRESS: address('identity'),
    DIRECTORY_ADDRESS: address('directory'),
    NUMBERS_ROUTING_ADDRESS: address('numbers-routing'),
    CALL_CONTROL_ADDRESS: address('call-control'),
    MESSAGING_INBOX_ADDRESS: address('messaging-inbox'),
    WEBHOOKS_ADDRESS: address('webhooks'),
    SPEECH_ADDRESS: address('speech'),
    ...settings,
  });
  started.defer(() => running.stop());

  const owned = started.move();
  return {
    url: `http://${publicListen}`,
    operatorUrl: `http://${operatorListen}`,
    healthUrl: `http://${healthListen}`,
    verified,
    stopGateway: () => running.stop(),
    stop: () => owned.disposeAsync(),
  };
}

async function freeAddresses(count: number): Promise<string[]> {
  const first = await freePort(count);
  return Array.from({ length: count }, (_, i) => `127.0.0.1:${first + i}`);
}

function keyPair() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  };
}
