import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { serviceNames } from '../../libs/service/src/service-names.ts';

/** Services with a database, which also store secrets of customers or sign addresses. */
const databaseServices = serviceNames.filter((service) => !['gateway', 'speech', 'sandbox'].includes(service));
/** Services that publish or follow events. */
const natsServices = serviceNames.filter((service) => service !== 'speech');

export interface Secrets {
  operatorToken: string;
  /** The password of the sandbox switch's event socket; `switchSecret` authenticates that switch at call-control. */
  eventSocketPassword: string;
  switchSecret: string;
  mongodbRootPassword: string;
  mongodbReplicaSetKey: string;
  /** Keyed by service; base64 of the DER PKCS8 form. */
  signingKeys: Record<string, string>;
  /** Keyed by service; base64 of the DER SPKI form. */
  trustedKeys: Record<string, string>;
  encryptionKeys: Record<string, string>;
  mongodbPasswords: Record<string, string>;
  /** Keyed by service: each has a user of its name. */
  natsPasswords: Record<string, string>;
}

export function newSecrets(): Secrets {
  const signing = serviceNames.map((service) => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
      privateKeyEncoding: { format: 'der', type: 'pkcs8' },
      publicKeyEncoding: { format: 'der', type: 'spki' },
    });
    return { service, privateKey: privateKey.toString('base64'), publicKey: publicKey.toString('base64') };
  });
  return {
    operatorToken: password(),
    eventSocketPassword: password(),
    switchSecret: password(),
    mongodbRootPassword: password(),
    // MongoDB requires 6 to 1024 base64 characters.
    mongodbReplicaSetKey: randomBytes(564).toString('base64'),
    signingKeys: Object.fromEntries(signing.map(({ service, privateKey }) => [service, privateKey])),
    trustedKeys: Object.fromEntries(signing.map(({ service, publicKey }) => [service, publicKey])),
    encryptionKeys: Object.fromEntries(
      databaseServices.map((service) => [service, randomBytes(32).toString('base64')]),
    ),
    mongodbPasswords: Object.fromEntries(databaseServices.map((service) => [service, password()])),
    natsPasswords: Object.fromEntries(natsServices.map((service) => [service, password()])),
  };
}

/** 256 bits that mean nothing special in a URL, an env file or a NATS configuration, which reads `7e3…` as a number. */
function password(): string {
  return `p${randomBytes(32).toString('hex')}`;
}
