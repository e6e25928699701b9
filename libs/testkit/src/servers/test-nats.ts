import { testAddress } from './test-addresses.ts';

/** The NATS of this test run. Tests keep apart by names from `uniqueName`. */
export interface TestNats {
  /** Without the credentials. */
  readonly url: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** The argument of `connect` of @nats-io/transport-node. */
  readonly options: { readonly servers: string; readonly user?: string; readonly pass?: string };
}

/** The address and credentials of the NATS of this test run. */
export function testNats(): TestNats {
  return natsAt(testAddress('nats'));
}

/** Takes an address with credentials inside apart. */
export function natsAt(address: string): TestNats {
  const { username, password, host, protocol } = new URL(address);
  const credentials = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  const url = `${protocol}//${host}`;
  return {
    url,
    user: credentials.user || undefined,
    password: credentials.pass || undefined,
    options: { servers: url, ...(credentials.user && credentials) },
  };
}
