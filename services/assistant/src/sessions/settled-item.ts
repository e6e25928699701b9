import type { Session } from './session.ts';
import type { SessionItem } from './session-item.ts';

/** An action whose process was not there to see its end: what became of the session says what became of it. */
export function settledItem(
  { outcome, endedAt }: Pick<Session, 'outcome' | 'endedAt'>,
  item: SessionItem,
): SessionItem {
  if (item.type !== 'action' || item.result !== null) return item;
  const became: Readonly<Record<string, string | undefined>> = {
    transfer_call: outcome === 'transferred' ? 'connected' : undefined,
    hand_over: outcome === 'fallback' ? 'handed_over' : undefined,
    end_call: 'ended',
  };
  return { ...item, result: became[item.action] ?? 'failed', endedAt };
}
