import { generateKeyPairSync, randomBytes } from 'node:crypto';

/** What a stack makes up once and keeps in its data directory. */
export interface Secrets {
  readonly operatorToken: string;
  readonly natsPassword: string;
  readonly eventSocketPassword: string;
  /** Of the sandbox's switch at call-control. */
  readonly switchSecret: string;
  readonly services: Readonly<Record<string, ServiceSecrets>>;
}

/** Keys as the services' settings want them: base64, PKCS #8 and SPKI in DER. */
export interface ServiceSecrets {
  readonly signingKey: string;
  readonly publicKey: string;
  readonly encryptionKey: string;
}

/** Keeps the secrets there are and makes up those that are missing: all of them at first, later those of a new service. */
export function completeSecrets(known: Partial<Secrets> | undefined, services: readonly string[]): Secrets {
  return {
    operatorToken: known?.operatorToken ?? `op_${randomBytes(24).toString('base64url')}`,
    natsPassword: known?.natsPassword ?? newPassword(),
    eventSocketPassword: known?.eventSocketPassword ?? newPassword(),
    switchSecret: known?.switchSecret ?? newPassword(),
    services: {
      ...known?.services,
      ...Object.fromEntries(services.map((name) => [name, known?.services?.[name] ?? newServiceSecrets()])),
    },
  };
}

const newPassword = (): string => randomBytes(24).toString('base64url');

function newServiceSecrets(): ServiceSecrets {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    signingKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    encryptionKey: randomBytes(32).toString('base64'),
  };
}
