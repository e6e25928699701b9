import { generateKeyPairSync } from 'node:crypto';

/** An Ed25519 key pair as provers and verifiers take it: PKCS #8 and SPKI in DER, base64. */
export interface KeyPair {
  readonly privateKey: string;
  readonly publicKey: string;
}

export function newKeyPair(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  };
}
