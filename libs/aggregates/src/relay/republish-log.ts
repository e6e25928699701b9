import type { BackgroundWork } from '@parley/clock';
import type { Broker, Event, StreamState } from '@parley/events';
import { isUnreachable, type Migration } from '@parley/mongo';
import type { Telemetry } from '@parley/telemetry';
import type { Db } from 'mongodb';
import { DAY_MS, EVENT_LOG_DAYS, type EventLog } from './event-log.ts';

/** The stream as it was seen last, with everything in it that was published until then. */
interface StreamCheckpoint extends Pick<StreamState, 'created' | 'server'> {
  _id: string;
  seenAt: Date;
}

/** A server may lose what it acknowledged in its last two minutes before a power cut, unless it syncs more often. */
const UNSAFE_MS = 5 * 60 * 1000;
/** What cannot be published is checked at once. */
const CHECK_EVERY_MS = 30_000;
/** Concurrent publishes; one connection keeps their order. */
const PUBLISHES_AT_ONCE = 100;

interface RepublishOptions {
  service: string;
  db: Db;
  log: EventLog;
  /** Resolves when what is being logged now is in the log; some of it may have been published to the lost stream. */
  logged: () => Promise<unknown>;
  broker: Broker;
  backgroundWork: BackgroundWork;
  telemetry: Telemetry;
  /** Called when new events may be published again. */
  onComplete: () => void;
}

/**
 * Publishes events of the log again that the stream may have lost. A server that was restarted may have lost what it
 * stored shortly before it was last seen, however long ago that is. A stream that is new gets everything the log has.
 * The broker recognises what it has by its id, or else the followers do.
 */
export function republishLog(options: RepublishOptions) {
  const { service, broker, telemetry } = options;
  const stream = streamChecks(options);
  let checking: Promise<void> | undefined;

  function check(): void {
    if (stream.isStopped() || !broker.connected()) return;
    const connection = stream.connection();
    checking ??= stream
      .check()
      .catch((error: unknown) => {
        if (broker.connected() && !isUnreachable(error))
          telemetry.log.warn({ err: error, stream: service }, 'cannot check the stream; retrying');
      })
      .finally(() => {
        checking = undefined;
        if (stream.connection() !== connection) check();
      });
  }

  const timer = setInterval(check, CHECK_EVERY_MS);
  const offReconnect = broker.onReconnect(() => {
    stream.onReconnect();
    check();
  });
  let answered: Promise<unknown> = Promise.resolve();
  /** Followers request events that the stream discarded before they had read them; one request at a time. */
  const endRequests = broker.answerAgain(service, (since) => {
    const portion = answered.then(() => stream.republishPortion(since));
    answered = portion.catch(() => undefined);
    return portion;
  });
  telemetry.meter
    .createObservableGauge('parley_stream_usage_ratio')
    .addCallback((result) => result.observe(stream.usage(), { stream: service }));
  check();
  return {
    /** New events must not be published before the ones that the stream lost, which they would overtake. */
    isComplete: stream.isComplete,
    /** Checks the stream now: an event could not be published. */
    check,
    async stop(): Promise<void> {
      stream.stop();
      clearInterval(timer);
      offReconnect();
      endRequests();
      await Promise.all([checking, answered]);
    },
  };
}

/** What is known of the stream of a service, and its comparison with what was seen last. */
function streamChecks({ service, db, log, logged, broker, backgroundWork, telemetry, onComplete }: RepublishOptions) {
  const checkpoints = db.collection<StreamCheckpoint>('relay_streams');
  let stopped = false;
  let complete = false;
  let usage = 0;
  /** Increases with every connection: results of an earlier one are not valid for the current one. */
  let connection = 1;
  let checkedConnection = 0;
  /** As this process wrote it last. */
  let written: StreamCheckpoint | undefined;

  const republish = (since: Date) =>
    backgroundWork.during(async () => {
      await logged();
      await publishSince(log, since, broker.publish, () => stopped);
    });

  /** Resolves with the time of the next ones, if there are more. */
  const republishPortion = (since: Date) =>
    backgroundWork.during(async () => {
      await logged();
      const { events, next } = await log.portion(since);
      await Promise.all(events.map(broker.publishAgain));
      return next;
    });

  function completeFor(checked: number): void {
    if (complete || checked !== connection) return;
    complete = true;
    onComplete();
  }

  async function check(): Promise<void> {
    const checked = connection;
    const stream = await broker.ensureStream(service);
    usage = stream.usage;
    const isKnown = written?.created === stream.created && written.server === stream.server;
    const checkpoint = isKnown ? written! : await checkpoints.findOne({ _id: service });
    const isNew = checkpoint?.created !== stream.created;
    const since = lostSince(stream, checkpoint, checkedConnection === checked);
    // Replicas of a replicated stream do not lose what they acknowledged; it is republished as a precaution, in the background.
    if (since === undefined || (stream.server === '' && !isNew)) completeFor(checked);
    else complete = false;
    if (since) {
      if (checkpoint && isNew)
        telemetry.log.warn({ stream: service }, 'the stream is new; filling it from the event log');
      if (!isNew) telemetry.log.info({ stream: service, since }, 'publishing events again that may be lost');
      await republish(since);
    }
    if (stopped || checked !== connection) return;
    const seen = { created: stream.created, server: stream.server, seenAt: new Date() };
    await checkpoints.updateOne({ _id: service }, { $set: seen }, { upsert: true });
    written = { _id: service, ...seen };
    checkedConnection = checked;
    completeFor(checked);
  }

  return {
    check,
    republishPortion,
    usage: () => usage,
    connection: () => connection,
    isComplete: () => complete,
    isStopped: () => stopped,
    onReconnect(): void {
      complete = false;
      connection++;
    },
    stop: () => void (stopped = true),
  };
}

/** A stream's checkpoint was without the time at which the stream was last seen. */
export const checkpointMigration: Migration = {
  name: 'relay_streams 0.3.0',
  async run(db) {
    const seenAt = new Date(Date.now() - DAY_MS);
    await db.collection('relay_streams').updateMany({ seenAt: { $exists: false } }, { $set: { seenAt } });
  },
};

/** From when on the stream may lack events; undefined when it lacks none. */
function lostSince(
  stream: StreamState,
  checkpoint: StreamCheckpoint | null,
  isCheckedConnection: boolean,
): Date | undefined {
  if (checkpoint?.created !== stream.created) return new Date(Date.now() - EVENT_LOG_DAYS * DAY_MS);
  if (isCheckedConnection || (stream.server !== '' && stream.server === checkpoint.server)) return undefined;
  return new Date(checkpoint.seenAt.getTime() - UNSAFE_MS);
}

async function publishSince(
  log: EventLog,
  since: Date,
  publish: Broker['publish'],
  isStopped: () => boolean,
): Promise<void> {
  let batch: Event[] = [];
  for await (const event of log.since(since)) {
    if (isStopped()) return;
    batch.push(event);
    if (batch.length < PUBLISHES_AT_ONCE) continue;
    await Promise.all(batch.map(publish));
    batch = [];
  }
  await Promise.all(batch.map(publish));
}
