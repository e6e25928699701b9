export { digest, digestsEqual } from './digest.ts';
export { type Encryptor, encryptor } from './encryptor.ts';
export { newSecret, type SecretKind, secretPrefixes } from './new-secret.ts';
