import type { Call } from '../calls/model/call.ts';

/** Saves the voicemail a caller left. May be repeated: the id is the call's. */
export type SaveVoicemail = (call: Call, left: { voicemailId: string; recording: string }) => Promise<void>;
