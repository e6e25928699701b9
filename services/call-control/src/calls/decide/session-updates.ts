import type { AssistantOutcome, CallAssistant, FallbackReason, SessionUpdate } from '../model/call-assistant.ts';
import type { CallDraft } from './call-draft.ts';

/** Tells the session something about its call, once there is one. */
export function tellSession(draft: CallDraft, update: SessionUpdate): void {
  const { assistant } = draft.call;
  if (!assistant) return;
  const sequence = assistant.updatesMade + 1;
  const updates = [...assistant.updates, { sequence, update }];
  changeAssistant(draft, { updates, updatesMade: sequence });
  if (assistant.sessionId !== null) draft.addCommand({ kind: 'update_assistant' });
}

/** The session has been told everything up to this number. */
export function updatesConfirmed(draft: CallDraft, confirmed: number): void {
  const { assistant } = draft.call;
  const updates = assistant?.updates.filter(({ sequence }) => sequence > confirmed);
  if (!assistant || !updates || updates.length === assistant.updates.length) return;
  changeAssistant(draft, { updates });
  // It knows that it is over.
  if (assistant.outcome !== null && updates.length === 0) draft.addCommand({ kind: 'store_session' });
}

/** The assistant is out of the call, once. */
export function assistantLeft(
  draft: CallDraft,
  outcome: AssistantOutcome,
  fallbackReason: FallbackReason | null = null,
): void {
  if (!draft.call.assistant || draft.call.assistant.outcome !== null) return;
  changeAssistant(draft, { outcome, fallbackReason });
  draft.note({ type: 'assistant', what: 'assistant_left', detail: fallbackReason ?? outcome });
  tellSession(draft, { kind: 'ended', outcome, fallbackReason, at: draft.now });
}

/** What the outcome is if the caller leaves now. */
export function outcomeIfLeft({ promisedCallback, report }: CallAssistant): AssistantOutcome {
  return promisedCallback ? 'callback_requested' : (report?.outcomeIfLeft ?? 'abandoned');
}

export function changeAssistant(draft: CallDraft, change: Partial<CallAssistant>): void {
  const { assistant } = draft.call;
  if (assistant) draft.set({ assistant: { ...assistant, ...change } });
}
