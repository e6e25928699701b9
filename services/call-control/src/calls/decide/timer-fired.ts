import { transferRingElapsed } from './decide-transfer.ts';
import { openTransfer } from '../model/transfer.ts';
import { assistantAnnounced, assistantLengthOver, assistedRingOver } from './assisted-call.ts';
import { connectWantedLegsAgain } from './assisted-legs.ts';
import { finishWhisper } from './assistant-transfer.ts';
import { connectionOverdue } from './leave-assistant.ts';
import { endTakeover } from './takeover.ts';
import { forwardFailed, menuKey, noAnswer } from './run-flow.ts';
import { announcePlace } from './announce-place.ts';
import { callbackDue, giveUpCallback } from './callback.ts';
import { awaitsCallback } from '../model/call.ts';
import type { CallTimer } from '../model/call-command.ts';
import type { CallDraft } from './call-draft.ts';
import { returnToQueue } from './blind-transfer.ts';
import { hangUpCall } from './end-call.ts';
import { awaitOutsideLegs, overdueOutsideLegs } from './outside-leg.ts';
import { stopCallingEmployee } from './outbound-call.ts';
import { announced, bridge } from './conversation.ts';
import { endSupervision } from './supervision.ts';
import { stopVoicemail } from './record-voicemail.ts';
import { voicemailAudioOverdue } from './voicemail-audio.ts';
import { offerUnanswered, declineEnded, ringNext } from './queue.ts';
import { playbackFinished } from './playback-finished.ts';

export function timerFired(draft: CallDraft, name: CallTimer): void {
  const { phase } = draft.call;
  draft.note({ type: 'timer', what: name });
  switch (name) {
    case 'prompt_overdue':
      // Nothing says that the remote party has heard it.
      if (phase.kind === 'announcing') return announced(draft, phase, false);
      if (phase.kind === 'assisted') return phase.playId === null ? undefined : assistantAnnounced(draft, phase, false);
      return 'playId' in phase && phase.kind !== 'waiting' ? playbackFinished(draft, phase.playId) : undefined;
    case 'menu_key':
      return phase.kind === 'menu' ? menuKey(draft, phase, null) : undefined;
    case 'no_answer':
      return phase.kind === 'waiting' ? noAnswer(draft, phase) : undefined;
    case 'announce_place':
      return announcePlace(draft);
    case 'passed_over':
      return phase.kind === 'waiting' ? declineEnded(draft, phase) : undefined;
    case 'ring_next':
      return phase.kind === 'waiting' ? ringNext(draft, phase) : undefined;
    case 'voicemail_limit':
      return phase.kind === 'voicemail' ? stopVoicemail(draft) : undefined;
    case 'voicemail_audio':
      return voicemailAudioOverdue(draft);
    case 'transfer_ring':
      return phase.kind === 'assisted' ? assistedRingOver(draft, phase) : transferRingElapsed(draft);
    case 'outside_leg':
      return outsideLegsOverdue(draft);
    case 'employee_ring':
      if (phase.kind === 'returning') return returnToQueue(draft, phase);
      return phase.kind === 'calling_employee' ? stopCallingEmployee(draft, phase) : undefined;
    case 'supervision_ring':
      return endSupervision(draft);
    case 'assistant_connect':
      return phase.kind === 'assisted' ? connectionOverdue(draft, phase) : undefined;
    case 'assistant_length':
      return phase.kind === 'assisted' ? assistantLengthOver(draft) : undefined;
    case 'whisper':
      return finishWhisper(draft);
    case 'takeover_ring':
      return endTakeover(draft);
    case 'phone_return':
      return hangUpCall(draft);
    case 'callback':
      return callbackDue(draft);
    case 'max_length':
      return awaitsCallback(draft.call) ? giveUpCallback(draft) : hangUpCall(draft, 'ALLOTTED_TIMEOUT');
    case 'bridge_overdue':
      if (phase.kind === 'outside') return bridge(draft, phase.legId);
      if (phase.kind === 'assisted') return connectWantedLegsAgain(draft, phase);
      return phase.kind === 'talking' && !openTransfer(draft.call.transfers) ? bridge(draft, phase.legId) : undefined;
  }
}

/** Phones outside the company have not answered, or not pressed the key, in time. */
function outsideLegsOverdue(draft: CallDraft): void {
  for (const legId of overdueOutsideLegs(draft)) {
    const { phase } = draft.call;
    if (phase.kind === 'forwarding' && phase.legId === legId) forwardFailed(draft, 'NO_ANSWER');
    else if (phase.kind === 'waiting') offerUnanswered(draft, phase, legId);
    else draft.hangUp(legId, 'NO_ANSWER');
  }
  awaitOutsideLegs(draft);
}
