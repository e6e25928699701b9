export { digest, digestsEqual } from './digest.ts';
export { type Encryptor, encryptor } from './encryptor.ts';
export { newSecret } from './new-secret.ts';
