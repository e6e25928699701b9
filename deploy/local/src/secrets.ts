import { randomBytes } from 'node:crypto';
import { newKeyPair } from '@parley/rpc/key-pair';
import type { DataDir } from './data-dir.ts';

/** Secrets of a stack, generated once and kept in its data directory. */
export interface Secrets {
  readonly operatorToken: string;
  readonly eventSocketPassword: string;
  /** Authenticates the sandbox's switch at call-control. */
  readonly switchSecret: string;
  /** The keys of the sandbox's SMS provider. */
  readonly smsProvider: SmsProviderSecrets;
  readonly services: Readonly<Record<string, ServiceSecrets>>;
}

/** Keys in the format of the services' settings: base64, PKCS #8 and SPKI in DER. */
export interface ServiceSecrets {
  readonly signingKey: string;
  readonly publicKey: string;
  readonly encryptionKey: string;
  /** The password of the service's NATS user. */
  readonly natsPassword: string;
}

/** Keys as Telnyx and its customers have them: base64, PKCS #8 in DER and the bare 32 bytes. */
export interface SmsProviderSecrets {
  readonly signingKey: string;
  readonly publicKey: string;
  readonly apiKey: string;
}

/** Keeps existing secrets and generates missing ones: all of them at first, later those of a new service. */
export function completeSecrets(known: Partial<Secrets> | undefined, services: readonly string[]): Secrets {
  return {
    operatorToken: known?.operatorToken ?? `op_${randomBytes(24).toString('base64url')}`,
    eventSocketPassword: known?.eventSocketPassword ?? newPassword(),
    switchSecret: known?.switchSecret ?? newPassword(),
    smsProvider: known?.smsProvider ?? newSmsProviderSecrets(),
    services: {
      ...known?.services,
      ...Object.fromEntries(services.map((name) => [name, { ...newServiceSecrets(), ...known?.services?.[name] }])),
    },
  };
}

export function natsPasswordsOf({ services }: Secrets): Record<string, string> {
  return Object.fromEntries(Object.entries(services).map(([name, { natsPassword }]) => [name, natsPassword]));
}

/** The secrets of a data directory; missing ones are generated and kept there. */
export async function loadSecrets(
  dataDir: Pick<DataDir, 'read' | 'write'>,
  services: readonly string[],
): Promise<Secrets> {
  const secrets = completeSecrets(await dataDir.read<Secrets>('secrets.json'), services);
  await dataDir.write('secrets.json', secrets);
  return secrets;
}

const newPassword = (): string => randomBytes(24).toString('base64url');

function newServiceSecrets(): ServiceSecrets {
  const { privateKey: signingKey, publicKey } = newKeyPair();
  return {
    signingKey,
    publicKey,
    encryptionKey: randomBytes(32).toString('base64'),
    natsPassword: newPassword(),
  };
}

/** The last 32 bytes of an Ed25519 public key in SPKI are the key itself. */
const RAW_KEY_BYTES = 32;

function newSmsProviderSecrets(): SmsProviderSecrets {
  const { signingKey, publicKey } = newServiceSecrets();
  return {
    signingKey,
    publicKey: Buffer.from(publicKey, 'base64').subarray(-RAW_KEY_BYTES).toString('base64'),
    apiKey: `KEY${randomBytes(24).toString('hex')}`,
  };
}
