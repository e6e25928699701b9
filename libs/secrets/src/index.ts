export { type AddressHolder, type AddressSigner, addressSigner, type SignedAddress } from './address-signer.ts';
export { digest, digestsEqual } from './digest.ts';
export { type Encryptor, encryptor } from './encryptor.ts';
export { derivedId, isId, newId, randomPart } from './ids.ts';
export { derivedKey } from './keys.ts';
export { newSecret, type SecretKind, secretPrefixes } from './new-secret.ts';
export { fileSealer, type FileSealer, type SealedFile } from './sealed-file.ts';
export { type Cursors, signedCursors } from './signed-cursors.ts';
