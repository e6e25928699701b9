import { menuFinished, promptFinished } from './run-flow.ts';
import { retryPrompt } from './play-audio.ts';
import type { CallDraft } from './call-draft.ts';
import { hangUpCall } from './end-call.ts';
import { assistantAnnounced } from './assisted-call.ts';
import { announced } from './conversation.ts';
import { beep, startVoicemail, voicemailStopped } from './record-voicemail.ts';

export function playbackFinished(draft: CallDraft, playId: string, played = true): void {
  const { phase } = draft.call;
  if (!('playId' in phase) || phase.playId !== playId) return;
  if (!played && retryPrompt(draft)) return;
  switch (phase.kind) {
    case 'prompt':
      return promptFinished(draft, phase.employeeIds);
    case 'menu':
      return menuFinished(draft);
    case 'greeting':
      return beep(draft);
    case 'beep':
      return startVoicemail(draft);
    case 'announcing':
      return announced(draft, phase, played);
    case 'assisted':
      return assistantAnnounced(draft, phase, played);
    case 'message':
      return hangUpCall(draft);
    case 'voicemail':
      // The end of a recording is reported before that of the application: this one could not begin.
      return voicemailStopped(draft, phase, 0);
    case 'waiting':
      return;
  }
}
