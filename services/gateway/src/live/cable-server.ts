import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Broker } from '@parley/events';
import { CredentialRevokedSchema } from '@parley/proto/identity/v1/credential_events_pb';
import type { Telemetry } from '@parley/telemetry';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { fromBinary } from '@bufbuild/protobuf';
import { decodeEvent } from '@parley/events';
import {
  ACTION_CABLE_PROTOCOL,
  confirmation,
  disconnect,
  type DisconnectReason,
  message,
  namesChannel,
  ping,
  readCommand,
  rejection,
  welcome,
} from './action-cable.ts';
import { type CableCredential, type CableCredentialOptions, findCredential } from './cable-credential.ts';

const PATH = '/cable';
const PING_EVERY_MS = 3000;
/** A revocation whose event was lost is noticed within this time. */
const RECHECK_EVERY_MS = 30_000;
/** The same while the broker, which tells of revocations, is away. */
const RECHECK_WITHOUT_BROKER_MS = 3000;
/** A client that lets so much wait is cut; it reads everything anew when it comes back. */
const WAITING_BYTES_MAX = 256 * 1024;
const COMMAND_BYTES_MAX = 4096;
/** More commands than that are no client of the channel. */
const COMMANDS_MAX = 100;
/** Of one company at one gateway, so that no company can take all of them. */
const COMPANY_CONNECTIONS_MAX = 12_000;

interface Connection {
  readonly socket: WebSocket;
  readonly credential: CableCredential;
  /** Subscriptions by the identifier the client chose. */
  readonly identifiers: Set<string>;
  commands: number;
  checkedAt: number;
}

/** The live channel: tells subscribed clients of their company's changes. */
export interface CableServer {
  stop(): Promise<void>;
}

export function startCable(options: {
  server: Server;
  broker: Broker;
  telemetry: Telemetry;
  credentials: CableCredentialOptions;
}): CableServer {
  const { server, broker, telemetry, credentials } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: COMMAND_BYTES_MAX,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(ACTION_CABLE_PROTOCOL) ? ACTION_CABLE_PROTOCOL : false),
  });
  const byCompany = new Map<string, Set<Connection>>();
  const connections = new Set<Connection>();

  function end(socket: WebSocket, reason: DisconnectReason, reconnect: boolean): void {
    socket.send(disconnect(reason, reconnect));
    socket.close(1000);
  }

  function open(socket: WebSocket, credential: CableCredential | undefined): void {
    if (!credential) return end(socket, 'unauthorized', false);
    const { companyId } = credential.principal;
    const company = byCompany.get(companyId) ?? new Set();
    if (company.size >= COMPANY_CONNECTIONS_MAX) return end(socket, 'too_many_connections', true);
    const connection: Connection = {
      socket,
      credential,
      identifiers: new Set(),
      commands: 0,
      checkedAt: performance.now(),
    };
    byCompany.set(companyId, company.add(connection));
    connections.add(connection);
    socket.on('close', () => {
      connections.delete(connection);
      company.delete(connection);
      if (company.size === 0) byCompany.delete(companyId);
    });
    socket.on('message', (data) => receive(connection, data));
    socket.send(welcome);
  }

  function receive(connection: Connection, data: RawData): void {
    const { socket, identifiers } = connection;
    connection.commands += 1;
    const command = readCommand(String(data));
    if (!command || connection.commands > COMMANDS_MAX) return end(socket, 'invalid_request', false);
    if (command.command === 'unsubscribe') identifiers.delete(command.identifier);
    if (command.command !== 'subscribe') return;
    const known = namesChannel(command.identifier);
    if (known) identifiers.add(command.identifier);
    socket.send(known ? confirmation(command.identifier) : rejection(command.identifier));
  }

  function broadcast(companyId: string, content: unknown): void {
    for (const connection of byCompany.get(companyId) ?? []) {
      const { socket, identifiers } = connection;
      if (socket.bufferedAmount > WAITING_BYTES_MAX) socket.terminate();
      else for (const identifier of identifiers) socket.send(message(identifier, content));
    }
  }

  async function recheck(connection: Connection): Promise<void> {
    connection.checkedAt = performance.now();
    const principal = await connection.credential.recheck();
    if (!principal) end(connection.socket, 'unauthorized', false);
  }

  function ended(error: unknown): void {
    // Identity cannot be asked now: nobody is let go for that, and the next round asks again.
    telemetry.log.debug({ err: error }, 'cannot check the credential of a live connection');
  }

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (new URL(request.url ?? '/', 'http://localhost').pathname !== PATH) {
      socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => {
      opened.on('error', () => opened.terminate());
      findCredential(request, credentials).then(
        (credential) => open(opened, credential),
        () => opened.terminate(),
      );
    });
  };
  server.on('upgrade', onUpgrade);

  const live = broker.subject('live.');
  const updates = broker.connection.subscribe(`${live}*`, {
    callback: (error, update) => {
      if (!error) broadcast(update.subject.slice(live.length), update.json());
    },
  });
  const revocations = broker.connection.subscribe(broker.eventPattern('identity.credential.revoked'), {
    callback: (error, revocation) => {
      if (error) return;
      const { credentialId, employeeId } = fromBinary(CredentialRevokedSchema, decodeEvent(revocation.data).data);
      for (const connection of connections) {
        const { principal } = connection.credential;
        if (principal.credentialId === credentialId || (credentialId === '' && principal.employeeId === employeeId))
          recheck(connection).catch(ended);
      }
    },
  });
  const timer = setInterval(() => {
    const message = ping(new Date());
    const staleMs = broker.connected() ? RECHECK_EVERY_MS : RECHECK_WITHOUT_BROKER_MS;
    for (const connection of connections) {
      if (connection.socket.bufferedAmount > WAITING_BYTES_MAX) connection.socket.terminate();
      else connection.socket.send(message);
      if (performance.now() - connection.checkedAt > staleMs) recheck(connection).catch(ended);
    }
  }, PING_EVERY_MS);
  telemetry.meter
    .createObservableGauge('parley_live_connections')
    .addCallback((result) => result.observe(connections.size));

  return {
    async stop() {
      clearInterval(timer);
      server.off('upgrade', onUpgrade);
      updates.unsubscribe();
      revocations.unsubscribe();
      for (const { socket } of connections) end(socket, 'server_restart', true);
      await new Promise<void>((resolve) => sockets.close(() => resolve()));
    },
  };
}
