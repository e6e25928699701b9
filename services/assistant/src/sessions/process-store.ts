import { openGlobalDocuments } from '@parley/aggregates';
import type { BackgroundWork } from '@parley/clock';
import { decided } from '@parley/errors';
import { newId } from '@parley/secrets';
import type { Telemetry } from '@parley/telemetry';
import type { Db } from 'mongodb';

/** A process of this service that can hold sessions. */
interface SessionProcess {
  readonly id: string;
  /** `<host>:<port>` of its SIP endpoint. */
  readonly address: string;
  readonly sessions: number;
  readonly sessionsMax: number;
  /** By the machine's clock: it protects against processes that have stopped. */
  readonly seenAt: Date;
}

/** Where the audio of a session may be held. */
export interface Place {
  readonly processId: string;
  readonly address: string;
}

/** The processes with places for sessions, this one among them. */
export type Processes = Awaited<ReturnType<typeof openProcesses>>;

const HEARTBEAT_MS = 2000;
/** One that has not been seen for this long holds nothing any more. */
const GONE_MS = 7000;
const PROCESSES_MAX = 100;

export async function openProcesses(options: {
  readonly db: Db;
  readonly backgroundWork: BackgroundWork;
  readonly telemetry: Telemetry;
  readonly sessionsMax: number;
  /** How many sessions this process holds, reserved ones included. */
  readonly sessions: () => number;
}) {
  const { db, telemetry, sessionsMax, sessions } = options;
  const processes = await openGlobalDocuments<SessionProcess>({
    db,
    collection: 'session_processes',
    indexes: [{ name: 'seen', key: { seenAt: 1 } }],
    reusesIds: true,
  });
  const id = newId('process');
  let address: string | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function beat(): Promise<void> {
    if (address === undefined) return;
    const seen: SessionProcess = { id, address, sessions: sessions(), sessionsMax, seenAt: new Date() };
    await processes.upsert(id, () => decided(seen));
  }

  const beatQuietly = () =>
    beat().catch((error: unknown) => telemetry.log.warn({ err: error }, 'process of sessions not announced'));

  return {
    id,
    /** Announces this process, whose SIP endpoint listens. */
    async start(listensOn: string): Promise<void> {
      address = listensOn;
      await beat();
      timer = setInterval(() => void beatQuietly(), HEARTBEAT_MS);
    },
    /**
     * This process while it has a place, else the one with most of them; undefined when all are full. `lost`: the one that the audio was
     * lost with, which is the last choice.
     */
    async place(lost?: string): Promise<Place | undefined> {
      const own = address !== undefined && sessions() < sessionsMax ? { processId: id, address } : undefined;
      if (own && id !== lost) return own;
      const alive = { seenAt: { $gt: new Date(Date.now() - GONE_MS) } };
      const others = await Array.fromAsync(processes.find(alive, { seenAt: -1 }, PROCESSES_MAX));
      const free = others
        .filter((other) => other.id !== id && other.id !== lost && other.sessions < other.sessionsMax)
        .toSorted((a, b) => b.sessionsMax - b.sessions - (a.sessionsMax - a.sessions))[0];
      return free ? { processId: free.id, address: free.address } : own;
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await processes.changeIfExists(id, () => decided(null));
    },
  };
}
