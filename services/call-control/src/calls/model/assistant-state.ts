import type { Call } from './call.ts';

type WithAssistant = Pick<Call, 'assistant' | 'phase'>;

/** What the assistant of a call does: it rings somebody for the caller, or talks with the caller, or is about to. */
export function assistantStateOf({ assistant, phase }: WithAssistant): 'talking' | 'transferring' | 'left' {
  if (phase.kind !== 'assisted' || assistant?.outcome) return 'left';
  return 'actionId' in phase.stage && phase.stage.actionId !== null ? 'transferring' : 'talking';
}

/** What is shown of the assistant has changed. */
export function hasAssistantChanged(before: WithAssistant, after: WithAssistant): boolean {
  const [was, is] = [before.assistant, after.assistant];
  if (was === is && before.phase === after.phase) return false;
  if (!was || !is) return was !== is;
  return (
    was.name !== is.name ||
    was.engine !== is.engine ||
    was.sessionId !== is.sessionId ||
    was.outcome !== is.outcome ||
    assistantStateOf(before) !== assistantStateOf(after)
  );
}
