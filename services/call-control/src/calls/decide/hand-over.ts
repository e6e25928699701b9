import type { AssistedPhase } from '../model/call-assistant.ts';
import type { Participant } from '../model/participant.ts';
import { openTransfer } from '../model/transfer.ts';
import { awaitConnection, separateLegs } from './assisted-legs.ts';
import type { CallDraft } from './call-draft.ts';
import { startConversationSpan, withParticipant } from './conversation.ts';
import { connectOutside } from './outside-party.ts';
import { assistantLeft, tellSession } from './session-updates.ts';
import { endTakeover } from './takeover.ts';
import { changeTransfer } from './transfer-legs.ts';

type HandingOver = Extract<AssistedPhase['stage'], { kind: 'handing_over' }>;

/** Connects the caller with somebody. The assistant stays until the switch reports that: the caller is never alone. */
export function handOver(draft: CallDraft, { actionId, to, legId }: Omit<HandingOver, 'kind'>): void {
  separateLegs(draft);
  endTakeover(draft);
  const { phase } = draft.call;
  if (phase.kind !== 'assisted') return;
  draft.cancel('whisper');
  draft.enter({ ...phase, link: 'none', stage: { kind: 'handing_over', actionId, to, legId } });
  awaitConnection(draft);
}

/** The caller is connected with who takes over; the assistant leaves. */
export function handedOver(
  draft: CallDraft,
  { assistantLegId, stage, endedTransfer }: AssistedPhase & { readonly stage: HandingOver },
  recordedMs: number | undefined,
): void {
  const { actionId, to, legId } = stage;
  draft.cancel('assistant_connect', 'assistant_length');
  const transfer = openTransfer(draft.call.transfers);
  if (actionId !== null && transfer) changeTransfer(draft, transfer, { state: 'completed' });
  if (actionId !== null) tellSession(draft, { kind: 'transfer_ended', actionId, result: 'connected' });
  if (endedTransfer) tellSession(draft, { kind: 'transfer_ended', ...endedTransfer });
  assistantLeft(draft, actionId === null ? 'taken_over' : 'transferred');
  if (assistantLegId !== null) draft.hangUp(assistantLegId);
  answered(draft, to);
  if (to) {
    draft.enter({ kind: 'talking', employee: to, legId });
    startConversationSpan(draft, to, recordedMs);
  } else connectOutside(draft, transfer?.outside?.phoneNumber ?? '', legId);
  draft.move('bridged');
}

function answered(draft: CallDraft, to: Participant | null): void {
  if (to) draft.set({ employees: withParticipant(draft.call.employees, to) });
  draft.move('answered');
  draft.set({ answeredAt: draft.now });
  draft.emit('call-control.call.answered');
  // Whoever waits to be called back in an earlier call has been served.
  if (to) draft.addCommand({ kind: 'replace_callbacks' });
}
