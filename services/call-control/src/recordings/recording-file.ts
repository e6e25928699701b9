import { type AddressHolder, addressSigner, type SignedAddress } from '@parley/secrets';

/** `cal_…-1`: the call and a number. */
const NAME = /^(cal_[0-9a-z]{32})-\d{1,4}$/;

/** The call that a recording of this name is of; undefined for a name that no recording has. */
export function callIdOf(name: string): string | undefined {
  return NAME.exec(name)?.[1];
}

/** A recording of a call. Its name is chosen and stored before the switch begins to write it. */
export interface RecordingFile {
  /** The name of the file on the switch and of the stored audio, without extension. */
  readonly name: string;
  readonly kind: 'conversation' | 'voicemail';
  readonly legId: string;
  readonly startedAt: Date;
  /** `stopped`: complete on the switch; `stored`: taken over; `missing`: the switch does not have it. */
  readonly status: 'started' | 'stopped' | 'stored' | 'missing';
  /** The length as the switch counts it; null when its end was missed. */
  readonly durationMs: number | null;
  readonly sizeBytes: number | null;
  /** SHA-256 of what was stored, as hexadecimal digits: nothing else is taken under its name. */
  readonly contentHash?: string;
  /** Silence is recorded while a caller waits whom an assistant has talked with; absent before. */
  readonly isMasked?: boolean;
  /** What was said in it is in the transcript; only in calls with an assistant, which may have several. */
  readonly isTranscribed?: true;
  /** An upload was refused for good: the switch need not send it again. */
  readonly isRefused?: true;
  /** Its voicemail was deleted, or the person was erased: the audio must not be kept, also when it arrives later. */
  readonly isDeleted?: true;
}

/** Its audio has not been fetched from the switch yet. */
export function isExpected({ status, isDeleted }: RecordingFile): boolean {
  return (status === 'started' || status === 'stopped') && !isDeleted;
}

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
