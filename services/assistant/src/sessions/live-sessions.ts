import type { Broker } from '@parley/events';
import type { Session } from './session.ts';

/** Tells open dashboards to read a session again; it never has what was said. The gateway limits how often. */
export interface LiveSessions {
  changed(session: Pick<Session, 'companyId' | 'callId'>): void;
}

export function liveSessions(broker: Broker): LiveSessions {
  return {
    changed({ companyId, callId }) {
      const update = JSON.stringify({ type: 'assistant_update', call_id: callId });
      if (broker.connected()) broker.connection.publish(broker.subject(`live.${companyId}`), update);
    },
  };
}
