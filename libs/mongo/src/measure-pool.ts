import { counterFromZero, type Telemetry } from '@parley/telemetry';
import type { ConnectionCheckedInEvent, ConnectionCheckedOutEvent, MongoClient } from 'mongodb';

type Events = Pick<MongoClient, 'on'>;

/**
 * How long operations wait for a connection and hold one, which is how long a command takes as the service sees it. The driver emits
 * these events anyway; its events about commands would cost a second decoding of every response.
 */
export function measurePool(client: Events, { meter }: Pick<Telemetry, 'meter'>): void {
  const waiting = meter.createHistogram('parley_mongodb_connection_wait_duration_seconds', { unit: 's' });
  const using = meter.createHistogram('parley_mongodb_connection_use_duration_seconds', { unit: 's' });
  const failed = counterFromZero(meter, 'parley_mongodb_connection_failures_total');
  /** When connections that are in use were taken; ids are unique per server. */
  const taken = new Map<string, number>();
  let open = 0;
  const keyOf = ({ address, connectionId }: ConnectionCheckedOutEvent | ConnectionCheckedInEvent) =>
    `${address}/${connectionId}`;
  client.on('connectionCreated', () => (open += 1));
  client.on('connectionClosed', () => (open -= 1));
  client.on('connectionCheckOutFailed', () => failed.add(1));
  client.on('connectionCheckedOut', (event) => {
    taken.set(keyOf(event), performance.now());
    waiting.record(event.durationMS / 1000);
  });
  client.on('connectionCheckedIn', (event) => {
    const since = taken.get(keyOf(event));
    taken.delete(keyOf(event));
    if (since !== undefined) using.record((performance.now() - since) / 1000);
  });
  meter.createObservableGauge('parley_mongodb_connections').addCallback((result) => {
    result.observe(taken.size, { state: 'used' });
    result.observe(Math.max(0, open - taken.size), { state: 'idle' });
  });
}
