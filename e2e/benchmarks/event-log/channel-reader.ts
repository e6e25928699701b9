import WebSocket from 'ws';
import type { Company } from '../../support/api.ts';
import type { LocalJson } from '../../support/local-stack.ts';

/** An event of `EventsChannel`, and when it was received. */
export interface ReceivedEvent {
  readonly receivedAtMs: number;
  readonly happenedAtMs: number;
}

/** Follows a company's events behind a cursor until so many have been received. */
export function followChannel(
  local: LocalJson,
  company: Company,
  { after, count }: { readonly after: string; readonly count: number },
): { confirmed: Promise<void>; received: Promise<ReceivedEvent[]> } {
  const identifier = JSON.stringify({ channel: 'EventsChannel', after });
  const headers = { 'X-Api-Key': company.apiKey };
  const socket = new WebSocket(`${local.base_url.replace('http', 'ws')}/cable`, ['actioncable-v1-json'], { headers });
  const events: ReceivedEvent[] = [];
  const confirmed = Promise.withResolvers<void>();
  const received = Promise.withResolvers<ReceivedEvent[]>();
  socket.on('close', () => received.reject(new Error(`the channel has ended after ${events.length} events`)));
  socket.on('message', (data) => {
    const { type, message } = JSON.parse(String(data)) as Frame;
    if (type === 'welcome') socket.send(JSON.stringify({ command: 'subscribe', identifier }));
    if (type === 'confirm_subscription') confirmed.resolve();
    if (message?.type !== 'event') return;
    events.push({ receivedAtMs: Date.now(), happenedAtMs: Date.parse(message.event.timestamp) });
    if (events.length < count) return;
    received.resolve(events);
    socket.close();
  });
  return { confirmed: confirmed.promise, received: received.promise };
}

interface Frame {
  readonly type?: string;
  readonly message?: { readonly type: string; readonly event: { readonly timestamp: string } };
}
