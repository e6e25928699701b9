import type { BackgroundWork } from '@parley/clock';
import type { Broker, Event } from '@parley/events';
import { isUnreachable } from '@parley/store';
import type { Telemetry } from '@parley/telemetry';
import type { Db } from 'mongodb';
import { EVENT_LOG_DAYS, type EventLog } from './event-log.ts';

interface StreamMark {
  _id: string;
  created: string;
}

const DAY_MS = 24 * 3600 * 1000;
/** The broker may lose what it acknowledged in its last two minutes before a power cut; twice that, and a little more. */
const DOUBTFUL_MS = 5 * 60 * 1000;
const CHECK_EVERY_MS = 5000;
/** So many are on their way at once; one connection keeps their order. */
const OFFERED_AT_ONCE = 100;

/** Watches over the stream a service publishes to. */
export interface StreamGuard {
  /** Whether new events may go out: not before a new stream has all the old ones, which they would overtake. */
  whole(): boolean;
  /** Has the stream looked at now: something could not be published. */
  look(): void;
  stop(): Promise<void>;
}

/**
 * Keeps the stream whole. At every start and reconnect the last minutes of the log are offered again, and the broker,
 * which knows their ids, takes only what it lost. A stream that is not the one we knew gets everything the log has.
 */
export function republishLog(options: {
  service: string;
  db: Db;
  log: EventLog;
  broker: Broker;
  backgroundWork: BackgroundWork;
  telemetry: Telemetry;
  /** Is told when new events may go out again. */
  onWhole: () => void;
}): StreamGuard {
  const { service, db, log, broker, backgroundWork, telemetry, onWhole } = options;
  const marks = db.collection<StreamMark>('relay_streams');
  let stopped = false;
  let whole = false;
  /** Grows with every reason to look at the last minutes again; settled up to the number a finished look began with. */
  let doubts = 1;
  let settled = 0;
  let checking: Promise<void> | undefined;

  async function offer(since: Date): Promise<void> {
    let batch: Event[] = [];
    for await (const event of log.since(since)) {
      if (stopped) return;
      batch.push(event);
      if (batch.length < OFFERED_AT_ONCE) continue;
      await Promise.all(batch.map((one) => broker.publish(one)));
      batch = [];
    }
    await Promise.all(batch.map((one) => broker.publish(one)));
  }

  /** `looked`: what the look that says so began with; a reconnect since then may have brought another stream. */
  function open(looked: number): void {
    if (whole || looked !== doubts) return;
    whole = true;
    onWhole();
  }

  async function check(): Promise<void> {
    const looked = doubts;
    const { created } = await broker.ensureStream(service);
    const known = await marks.findOne({ _id: service });
    if (known?.created === created) {
      open(looked);
      if (settled < looked) await backgroundWork.during(() => offer(new Date(Date.now() - DOUBTFUL_MS)));
    } else {
      whole = false;
      if (known) telemetry.log.warn({ stream: service }, 'the stream is new; filling it from the event log');
      await backgroundWork.during(() => offer(new Date(Date.now() - EVENT_LOG_DAYS * DAY_MS)));
      if (stopped) return;
      await marks.updateOne({ _id: service }, { $set: { created } }, { upsert: true });
      open(looked);
    }
    settled = looked;
  }

  const look = () => {
    if (stopped || !broker.connected()) return;
    const began = doubts;
    checking ??= check()
      .catch((error: unknown) => {
        if (broker.connected() && !isUnreachable(error))
          telemetry.log.warn({ err: error, stream: service }, 'cannot check the stream; trying again');
      })
      .finally(() => {
        checking = undefined;
        if (doubts !== began) look();
      });
  };
  const timer = setInterval(look, CHECK_EVERY_MS);
  broker.onReconnect(() => {
    whole = false;
    doubts++;
    look();
  });
  look();
  return {
    whole: () => whole,
    look,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await checking;
    },
  };
}
