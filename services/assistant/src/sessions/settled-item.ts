import type { Session } from './session.ts';
import type { SessionItem } from './session-item.ts';

/**
 * An item whose process was not there to see its end: what became of the session says what became of an action, and of a turn nothing
 * is known to have been heard.
 */
export function settledItem(
  { outcome, endedAt }: Pick<Session, 'outcome' | 'endedAt'>,
  item: SessionItem,
): SessionItem {
  if (item.type === 'turn' && item.endedAt === null) return { ...item, interrupted: true, endedAt: item.startedAt };
  if (item.type !== 'action' || item.result !== null) return item;
  const became: Readonly<Record<string, string | undefined>> = {
    transfer_call: outcome === 'transferred' ? 'connected' : undefined,
    hand_over: outcome === 'fallback' ? 'handed_over' : undefined,
    end_call: 'ended',
  };
  return { ...item, result: became[item.action] ?? 'failed', endedAt };
}
