import { type AddressHolder, addressSigner, type SignedAddress } from '@parley/secrets';

/** The parts of the signed address of a recording. */
export type SignedRecording = SignedAddress;

export type RecordingSigner = ReturnType<typeof recordingSigner>;

/** `keys`: 32 bytes in base64 each; the first one signs. */
export function recordingSigner(keys: readonly string[], publicUrl: string) {
  const signer = addressSigner(keys, 'parley recordings');
  return {
    /** The address of a recording for a credential, for an hour from `now` or for `validSecs`. */
    url(name: string, holder: AddressHolder, now: Date, validSecs?: number): string {
      const { expires, givenTo, signature: sig } = signer.sign(name, holder, now, validSecs);
      return `${publicUrl}/media/recordings/${name}?${new URLSearchParams({ expires: `${expires}`, for: givenTo, sig })}`;
    },
    verify: (recording: SignedRecording, now: Date) => signer.verify(recording, now),
  };
}
