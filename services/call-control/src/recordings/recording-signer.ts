import { type AddressHolder, addressSigner, type SignedAddress } from '@parley/secrets';

/** The parts of the signed address of a recording. */
export type SignedRecording = SignedAddress;

export interface RecordingSigner {
  /** The address of a recording for a credential, for an hour from `now` or for `validSecs`. */
  url(name: string, givenTo: AddressHolder, now: Date, validSecs?: number): string;
  verify(recording: SignedRecording, now: Date): boolean;
}

/** `keys`: 32 bytes in base64 each; the first one signs. */
export function recordingSigner(keys: readonly string[], publicUrl: string): RecordingSigner {
  const signer = addressSigner(keys, 'parley recordings');
  return {
    url(name, holder, now, validSecs) {
      const { expires, givenTo, signature: sig } = signer.sign(name, holder, now, validSecs);
      return `${publicUrl}/media/recordings/${name}?${new URLSearchParams({ expires: `${expires}`, for: givenTo, sig })}`;
    },
    verify: (recording, now) => signer.verify(recording, now),
  };
}
