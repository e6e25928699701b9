import type { Broker } from '@parley/events';

/** Tells the processes of this service that something was stored for a session. Core NATS: the session's document says what. */
export interface SessionSignals {
  announce(sessionId: string): void;
  stop(): Promise<void>;
}

export function openSessionSignals(broker: Broker, onSignal: (sessionId: string) => void): SessionSignals {
  const subject = broker.subject('signals.assistant.session-updated');
  const signals = broker.connection.subscribe(subject, {
    callback: (error, message) => void (error ?? onSignal(message.string())),
  });
  return {
    announce(sessionId) {
      onSignal(sessionId);
      if (broker.connected()) broker.connection.publish(subject, sessionId);
    },
    async stop() {
      signals.unsubscribe();
    },
  };
}
