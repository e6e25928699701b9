import { hasRole } from '@parley/actor';
import type { Broker } from '@parley/events';
import type { Listening, UpgradeHandler } from '@parley/http';
import { Unavailable } from '@parley/rpc';
import type { Telemetry } from '@parley/telemetry';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import {
  ACTION_CABLE_PROTOCOL,
  type Channel,
  channelOf,
  confirmation,
  disconnect,
  type DisconnectReason,
  message,
  ping,
  readCommand,
  readMsAgoOf,
  rejection,
  sinceRead,
  welcome,
} from './action-cable.ts';
import { readRevocation } from '../credentials/verified-credentials.ts';
import type { Clients } from '../peers/peers.ts';
import { eventWriter } from '../routes/events/event-json.ts';
import { eventChannel } from './event-channel.ts';
import { type EventSubscription, openEventSubscription } from './event-subscription.ts';
import { fairBroadcast } from './fair-broadcast.ts';
import { throttleByKey } from './keyed-throttle.ts';
import { type CableCredential, type CableCredentialOptions, findCredential } from './cable-credential.ts';
import {
  EVENT_LOG_UPDATE,
  followChanges,
  isAssistantUpdate,
  LIVE_REPORT_UPDATE,
  LIVE_REPORT_UPDATES,
  recentUpdates,
  TEAM_UPDATES,
} from './updates.ts';

const PATH = '/cable';
const PING_EVERY_MS = 3000;
/** Connections are pinged in batches: thousands at once would block the event loop. */
const PING_PARTS = 30;
/** A revocation whose event was lost is detected within this time. */
const RECHECK_EVERY_MS = 30_000;
/** The same while the broker, which delivers revocations, is unreachable. */
const RECHECK_WITHOUT_BROKER_MS = 3000;
/** Longer than the cache lifetime of verified credentials, so that the result is current. */
const RECHECK_SOON_MS = 1500;
/** A client with this much unread data is disconnected; it reloads everything when it reconnects. */
const WAITING_BYTES_MAX = 256 * 1024;
/** The shortest interval between two announcements of a changed live report to a company's clients. */
const LIVE_REPORT_EVERY_MS = 1000;
/** The session of one call. */
const ASSISTANT_EVERY_MS = 500;
const COMMAND_BYTES_MAX = 4096;
/** More commands between two pings are no client of the channel. */
const COMMANDS_MAX = 100;
/** A page needs one. */
const SUBSCRIPTIONS_MAX = 10;
/** Per company and gateway process, so that no company can use up all connections. */
const COMPANY_CONNECTIONS_MAX = 12_000;
/** Checks of credentials of one company in progress at once; the others wait for the next round. */
const COMPANY_CHECKS_MAX = 200;

interface Connection {
  readonly socket: WebSocket;
  readonly credential: CableCredential;
  readonly company: Company;
  /** Subscriptions by the identifier the client chose. */
  readonly identifiers: Map<string, Channel>;
  events: EventSubscription | undefined;
  /** Since the last ping. */
  commands: number;
  /** When the credential is checked again, by `performance.now()`. */
  checkAt: number;
}

interface Company {
  readonly connections: Set<Connection>;
  checks: number;
}

/** The live channel: notifies subscribed clients of their company's changes. */
export function startCable(options: {
  http: Pick<Listening, 'serveUpgrades'>;
  broker: Broker;
  telemetry: Telemetry;
  credentials: CableCredentialOptions;
  clients: Pick<Clients, 'eventLog' | 'recordingAddresses'>;
}) {
  const { http, broker, telemetry, credentials, clients } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: COMMAND_BYTES_MAX,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(ACTION_CABLE_PROTOCOL) ? ACTION_CABLE_PROTOCOL : false),
  });
  const companies = new Map<string, Company>();
  const connections = new Set<Connection>();
  const pingParts = Array.from({ length: PING_PARTS }, () => new Set<Connection>());
  /** While there are connections. */
  let pinging: NodeJS.Timeout | undefined;
  function stopPinging(): void {
    clearInterval(pinging);
    pinging = undefined;
  }
  /** From a change until all connections of its company have it: of contacts and employees, who are in a call or not. */
  const delay = telemetry.meter.createHistogram('parley_live_update_delay_seconds', { unit: 's' });
  const broadcastOn = (channel: Channel) =>
    fairBroadcast<Connection>({
      targetsOf: (companyId) => companies.get(companyId)?.connections,
      send: (connection, updates) => sendUpdates(connection, channel, updates),
      onSent: (changedAt) => delay.record(Math.max(0, Date.now() - changedAt.getTime()) / 1000),
    });
  const recent = recentUpdates();
  const events = eventChannel({
    eventLog: clients.eventLog,
    write: eventWriter(clients),
    isConnected: broker.connected,
    onFailure(error) {
      const level = error instanceof Unavailable ? 'debug' : 'warn';
      telemetry.log[level]({ err: error }, 'cannot read events for a live connection');
    },
  });
  const [calls, team] = [broadcastOn('CallsChannel'), broadcastOn('TeamChannel')];

  function end(socket: WebSocket, reason: DisconnectReason, reconnect: boolean): void {
    socket.send(disconnect(reason, reconnect));
    socket.close(1000);
  }

  function open(socket: WebSocket, credential: CableCredential | undefined): void {
    // It may have been closed while its credential was checked.
    if (socket.readyState !== socket.OPEN) return;
    if (!credential) return end(socket, 'unauthorized', false);
    const { companyId } = credential.principal;
    const company = companies.get(companyId) ?? { connections: new Set(), checks: 0 };
    if (company.connections.size >= COMPANY_CONNECTIONS_MAX) return end(socket, 'too_many_connections', true);
    // Checked again soon: it may have been revoked before the subscription began.
    const checkAt = performance.now() + RECHECK_SOON_MS;
    const identifiers = new Map<string, Channel>();
    const connection: Connection = {
      socket,
      credential,
      company,
      identifiers,
      events: undefined,
      commands: 0,
      checkAt,
    };
    companies.set(companyId, company);
    company.connections.add(connection);
    connections.add(connection);
    const pinged = pingParts.reduce((fewest, part) => (part.size < fewest.size ? part : fewest));
    pinged.add(connection);
    pinging ??= setInterval(pingNextPart, PING_EVERY_MS / PING_PARTS);
    socket.on('close', () => {
      connections.delete(connection);
      if (connections.size === 0) stopPinging();
      pinged.delete(connection);
      connection.events?.stop();
      company.connections.delete(connection);
      if (company.connections.size === 0) companies.delete(companyId);
    });
    socket.on('message', (data) => receive(connection, data));
    socket.send(welcome);
  }

  function receive(connection: Connection, data: RawData): void {
    const { socket, identifiers } = connection;
    connection.commands += 1;
    const command = readCommand(String(data));
    if (!command || connection.commands > COMMANDS_MAX) return end(socket, 'invalid_request', false);
    if (command.command === 'unsubscribe') unsubscribe(connection, command.identifier);
    if (command.command !== 'subscribe') return;
    const channel = identifiers.size < SUBSCRIPTIONS_MAX ? channelOf(command.identifier) : undefined;
    if (channel === 'EventsChannel') return subscribeToEvents(connection, command.identifier);
    if (channel) identifiers.set(command.identifier, channel);
    socket.send(channel ? confirmation(command.identifier) : rejection(command.identifier));
    const readMsAgo = channel && readMsAgoOf(command.identifier);
    if (readMsAgo === undefined) return;
    // Later changes are announced to it.
    const isQuiet = broker.connected() && recent.isQuiet(connection.credential.principal.companyId, readMsAgo);
    socket.send(sinceRead(command.identifier, !isQuiet));
  }

  function unsubscribe(connection: Connection, identifier: string): void {
    connection.identifiers.delete(identifier);
    if (connection.events?.identifier !== identifier) return;
    connection.events.stop();
    connection.events = undefined;
  }

  /** Confirmed or rejected once the log was read. */
  function subscribeToEvents(connection: Connection, identifier: string): void {
    const { socket, credential } = connection;
    if (connection.events?.identifier === identifier) {
      // Clients repeat the command until it is confirmed.
      if (connection.events.isConfirmed) socket.send(confirmation(identifier));
      return;
    }
    const reader = {
      socket,
      credential,
      end: (reason: 'unauthorized' | 'too_slow') => end(socket, reason, reason === 'too_slow'),
      onEnd: () => void (connection.events = undefined),
    };
    connection.events ??= openEventSubscription(identifier, reader, events);
    if (connection.events?.identifier !== identifier) socket.send(rejection(identifier));
  }

  /** A client that does not read is disconnected; it reloads everything when it reconnects. */
  function isTooSlow({ socket, events: subscribed }: Connection): boolean {
    if (socket.bufferedAmount <= WAITING_BYTES_MAX + (subscribed?.largeBytes ?? 0)) return false;
    socket.terminate();
    return true;
  }

  function sendUpdates(connection: Connection, channel: Channel, updates: readonly string[]): number {
    const { socket, identifiers } = connection;
    if (isTooSlow(connection)) return 0;
    const subscribed = [...identifiers].filter(([, of]) => of === channel).map(([identifier]) => identifier);
    for (const identifier of subscribed) for (const update of updates) socket.send(message(identifier, update));
    return subscribed.length * updates.length;
  }

  function recheck(connection: Connection, againMs: number): void {
    const { credential, company, socket } = connection;
    connection.checkAt = performance.now() + againMs;
    company.checks += 1;
    credential.recheck().then(
      (principal) => {
        company.checks -= 1;
        if (!principal) end(socket, 'unauthorized', false);
        else if (!hasRole(principal.role, 'admin')) connection.events?.reject();
      },
      (error: unknown) => {
        company.checks -= 1;
        // Identity is unreachable: the connection stays open and is checked again in the next round.
        connection.checkAt = 0;
        telemetry.log.debug({ err: error }, 'cannot check the credential of a live connection');
      },
    );
  }

  function recheckSoon(): void {
    for (const connection of connections) connection.checkAt = 0;
  }

  const onUpgrade: UpgradeHandler = (request, socket, head, { query }) => {
    sockets.handleUpgrade(request, socket, head, (opened) => {
      opened.on('error', () => opened.terminate());
      findCredential(request, new URLSearchParams(query), credentials).then(
        (credential) => open(opened, credential),
        () => opened.terminate(),
      );
    });
  };
  const stopUpgrades = http.serveUpgrades(PATH, onUpgrade);

  const live = broker.subject('live.');
  const assistants = throttleByKey(ASSISTANT_EVERY_MS, (key) => {
    const [companyId = ''] = key.split(' ', 1);
    calls.add(companyId, key.slice(companyId.length + 1));
  });
  const updates = broker.connection.subscribe(`${live}*`, {
    callback: (error, update) => {
      if (error) return;
      const companyId = update.subject.slice(live.length);
      const text = update.string();
      if (text === EVENT_LOG_UPDATE) return events.announce(companyId);
      recent.add(companyId);
      if (isAssistantUpdate(text)) return assistants.add(`${companyId} ${text}`);
      calls.add(companyId, text);
    },
  });
  const ignoreTeam = followChanges(broker, TEAM_UPDATES, (companyId, update, changedAt) => {
    recent.add(companyId);
    if (companies.has(companyId)) team.add(companyId, update, changedAt);
  });
  const liveReport = throttleByKey(LIVE_REPORT_EVERY_MS, (companyId) => calls.add(companyId, LIVE_REPORT_UPDATE));
  const ignoreLiveReport = followChanges(broker, LIVE_REPORT_UPDATES, (companyId) => {
    if (companies.has(companyId)) liveReport.add(companyId);
  });
  const revocations = broker.connection.subscribe(broker.eventPattern('identity.credential.revoked'), {
    callback: (error, revocation) => {
      if (error) return;
      const revoked = readRevocation(revocation.data);
      if (!revoked) return recheckSoon();
      const { credentialId, employeeId } = revoked;
      for (const connection of connections) {
        const { principal } = connection.credential;
        if (principal.credentialId === credentialId || (credentialId === '' && principal.employeeId === employeeId))
          // After the caches, which receive the same revocation; and once more, for one that has not received it yet.
          setImmediate(() => recheck(connection, RECHECK_SOON_MS));
      }
    },
  });
  // Revocations may have been published while the broker connection was down.
  const ignoreReconnects = broker.onReconnect(() => {
    recent.reset();
    recheckSoon();
    events.announceAll();
  });
  let part = 0;
  function pingNextPart(): void {
    const pingMessage = ping(new Date());
    const now = performance.now();
    const within = broker.connected() ? 0 : RECHECK_EVERY_MS - RECHECK_WITHOUT_BROKER_MS;
    for (const connection of pingParts[part]!) {
      connection.commands = 0;
      if (isTooSlow(connection)) continue;
      connection.socket.send(pingMessage);
      if (connection.checkAt - within > now || connection.company.checks >= COMPANY_CHECKS_MAX) continue;
      // Spread out, because many connections are opened at the same time.
      recheck(connection, RECHECK_EVERY_MS * (0.5 + Math.random() / 2));
    }
    part = (part + 1) % PING_PARTS;
  }
  telemetry.meter
    .createObservableGauge('parley_live_connections')
    .addCallback((result) => result.observe(connections.size));

  return {
    async stop(): Promise<void> {
      stopPinging();
      ignoreReconnects();
      calls.stop();
      team.stop();
      stopUpgrades();
      updates.unsubscribe();
      ignoreTeam();
      ignoreLiveReport();
      liveReport.stop();
      assistants.stop();
      revocations.unsubscribe();
      for (const { socket } of connections) end(socket, 'server_restart', true);
      await new Promise<void>((resolve) => sockets.close(() => resolve()));
    },
  };
}
