import { InMemorySpanExporter } from '@opentelemetry/sdk-trace';
import { startTelemetry } from '@parley/telemetry';
import { scratchDir } from '@parley/testkit';
import {
  type Principal,
  type Channel,
  connectRpc,
  createProver,
  createRpcServer,
  createVerifier,
  type EmployeePrincipal,
  type Handlers,
  newKeyPair,
} from '../src/index.ts';
import type { ChannelOptions } from '../src/client.ts';
import type { AccessRule } from '../src/principal.ts';
import type { RpcServerOptions } from '../src/server.ts';
import { EchoService } from './echo-contract.ts';

export const keys = { gateway: newKeyPair(), directory: newKeyPair() };
export const trustedKeys = { gateway: keys.gateway.publicKey, directory: keys.directory.publicKey };

export const ada: EmployeePrincipal = {
  kind: 'employee',
  companyId: 'com_1',
  employeeId: 'emp_1',
  employeeName: 'Ada',
  role: 'member',
  credentialId: 'key_1',
  credentialType: 'api_key',
  credentialName: 'Webshop',
};

const anybody: AccessRule<Principal> = (caller) => caller;

const endings: (() => void | Promise<unknown>)[] = [];

/** Ends everything that was started, last first; for `afterEach`. */
export async function endAll(): Promise<void> {
  for (const end of endings.splice(0).reverse()) await end();
}

/** Telemetry that keeps spans and log lines for the test. */
function testTelemetry(service: string) {
  const spanExporter = new InMemorySpanExporter();
  const lines: string[] = [];
  const telemetry = startTelemetry({
    service,
    version: '0',
    logLevel: 'debug',
    logDestination: { write: (line) => void lines.push(line) },
    spanExporter,
  });
  endings.push(() => telemetry.stop());
  return { telemetry, lines, spans: () => spanExporter.getFinishedSpans() };
}

/** An address without a listener. */
export async function freshSocket(): Promise<string> {
  const scratch = await scratchDir();
  endings.push(() => scratch.remove());
  return `unix:${scratch.path}/rpc.sock`;
}

/** A server of the echo contract, as another service would run it. */
export async function startEcho<Allowed = Principal>(
  handlers: Partial<Handlers<typeof EchoService, Allowed>>,
  options: Partial<RpcServerOptions> & { address?: string; accessRule?: AccessRule<Allowed> } = {},
) {
  const { telemetry, lines, spans } = testTelemetry('directory');
  const address = options.address ?? (await freshSocket());
  const server = createRpcServer({
    telemetry,
    verify: createVerifier(trustedKeys),
    ready: async () => true,
    ...options,
  });
  server.add(EchoService, options.accessRule ?? (anybody as AccessRule<never>), {
    say: async ({ text }) => ({ text }),
    count: async function* ({ count }) {
      for (let number = 1; number <= count; number++) yield { number };
    },
    converse: async function* (requests) {
      for await (const { text } of requests) yield { text };
    },
    ...handlers,
  });
  const port = await server.listen(address);
  endings.push(() => server.close(100));
  return { server, address, port, lines, spans };
}

/** A client of it, as the gateway would be. */
export function connectEcho(address: string, options: Partial<ChannelOptions> = {}) {
  const { telemetry, spans } = testTelemetry('gateway');
  const channel: Channel = connectRpc({
    address,
    telemetry,
    prover: createProver('gateway', keys.gateway.privateKey),
    ...options,
  });
  endings.push(() => channel.close());
  return { channel, telemetry, spans, echo: channel.client(EchoService) };
}

/** Waits for the connection, so that a short deadline passes in the handler and not before it is called. */
export async function connected({ channel }: { channel: Channel }): Promise<void> {
  if (!(await channel.healthy(30_000))) throw new Error('the echo service is not healthy');
}
