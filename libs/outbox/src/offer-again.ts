import type { Activity } from '@parley/clock';
import type { Broker } from '@parley/events';
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
const CHECK_EVERY_MS = 10_000;

/**
 * Keeps the stream whole. At every start and reconnect the last minutes of the log are offered again, and the broker,
 * which knows their ids, takes only what it lost. A stream that is not the one we knew gets everything the log has.
 */
export function offerAgain(options: {
  service: string;
  db: Db;
  log: EventLog;
  broker: Broker;
  activity: Activity;
  telemetry: Telemetry;
}): { stop(): Promise<void> } {
  const { service, db, log, broker, activity, telemetry } = options;
  const marks = db.collection<StreamMark>('relay_streams');
  let stopped = false;
  let doubtful = true;
  let checking: Promise<void> | undefined;

  async function offer(since: Date): Promise<void> {
    for await (const event of log.since(since)) {
      if (stopped) return;
      await broker.publish(event);
    }
  }

  async function check(): Promise<void> {
    const { created } = await broker.ensureStream(service);
    const known = await marks.findOne({ _id: service });
    if (known?.created === created && !doubtful) return;
    const whole = known !== null && known.created !== created;
    if (whole) telemetry.log.warn({ stream: service }, 'the stream is new; filling it from the event log');
    await offer(new Date(Date.now() - (whole ? EVENT_LOG_DAYS * DAY_MS : DOUBTFUL_MS)));
    if (stopped) return;
    doubtful = false;
    await marks.updateOne({ _id: service }, { $set: { created } }, { upsert: true });
  }

  const run = () => {
    if (stopped || !broker.connected()) return;
    checking ??= activity
      .during(check)
      .catch((error: unknown) => {
        if (broker.connected() && !isUnreachable(error))
          telemetry.log.warn({ err: error, stream: service }, 'cannot check the stream; trying again');
      })
      .finally(() => (checking = undefined));
  };
  const timer = setInterval(run, CHECK_EVERY_MS);
  broker.onReconnect(() => {
    doubtful = true;
    run();
  });
  run();
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      await checking;
    },
  };
}
