import type { Telemetry } from '@parley/telemetry';
import type { NumberedItem } from './item-store.ts';
import type { Session } from './session.ts';

/** Counts sessions that are over, for alerts: no word, no number and no company is in it. */
export type SessionMetrics = ReturnType<typeof sessionMetrics>;

export function sessionMetrics({ meter }: Pick<Telemetry, 'meter'>) {
  const ended = meter.createCounter('parley_assistant_sessions_total');
  const modelTurns = meter.createCounter('parley_assistant_model_turns_total');
  const responses = meter.createHistogram('parley_assistant_response_duration_seconds', { unit: 's' });
  return {
    ended(
      { outcome, fallbackReason }: Pick<Session, 'outcome' | 'fallbackReason'>,
      items: readonly NumberedItem[],
    ): void {
      ended.add(1, { outcome: outcome ?? 'failed', reason: fallbackReason ?? '' });
      for (const { item } of items) {
        if (item.type === 'event' && item.event === 'endpoint_failed') modelTurns.add(1, { outcome: 'failed' });
        if (item.type !== 'turn' || item.speaker !== 'assistant') continue;
        if (item.engine === 'endpoint') modelTurns.add(1, { outcome: 'answered' });
        if (item.responseMs !== null) responses.record(item.responseMs / 1000, { engine: item.engine ?? 'embedded' });
      }
    },
  };
}
