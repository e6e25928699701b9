export { type AddressHolder, type AddressSigner, addressSigner, type SignedAddress } from './address-signer.ts';
export { digest, digestsEqual, newSecret, secretPrefixes } from './new-secret.ts';
export { derivedKey, type Encryptor, encryptor } from './encryptor.ts';
export { type SignedTokens, signedTokens } from './signed-tokens.ts';
export { derivedId, isId, newId, randomPart } from './ids.ts';
export { fileSealer, type FileSealer, type SealedFile } from './sealed-file.ts';
