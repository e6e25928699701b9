import type { Call } from '../calls/model/call.ts';

/** Saves the voicemail a caller left. May be repeated: the id is the call's. */
export type SaveVoicemail = (call: Call, left: { voicemailId: string; recording: string }) => Promise<void>;

/** Deletes a voicemail without audio; one that an employee has deleted stays so. */
export type WithdrawVoicemail = (companyId: string, voicemailId: string) => Promise<void>;
