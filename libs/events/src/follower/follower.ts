import { batching } from '@parley/queues';
import type { Telemetry } from '@parley/telemetry';
import { openDeadLetters } from '../applying/dead-letters.ts';
import { type EventApplier, startEventApplier } from '../applying/event-applier.ts';
import { openPositions } from '../applying/positions-store.ts';
import { nounOf } from '../event/envelope.ts';
import { openFollowerState, startCheckpoints } from '../partitions/follower-state-store.ts';
import { joinFollower } from '../partitions/membership.ts';
import { readEventPages } from '../reading/event-pages.ts';
import { type ReadEvent, startStreamReader, type StreamReader } from '../reading/stream-reader.ts';
import { applyEvents, type FollowerOptions, toBatchHandler } from '../applying/event-handlers.ts';

/** A follower that runs until it is stopped. */
export type Follower = Awaited<ReturnType<typeof startFollower>>;

const defaults: Required<Pick<FollowerOptions, 'triesMax' | 'retryDelayMs' | 'gapWaitMs' | 'batching'>> = {
  /** With these delays a little more than six minutes. */
  triesMax: 20,
  retryDelayMs: (tries) => Math.min(100 * 2 ** tries, 30_000),
  gapWaitMs: 10_000,
  batching: batching.events,
};

/**
 * Follows the events of other services: each is applied once, in order within its aggregate and noun. Replicas share the
 * partitions. A broker that lost its data is no problem: the follower's own positions identify new events.
 */
export async function startFollower(given: FollowerOptions) {
  const options = { ...defaults, ...given };
  const { name, broker, db, backgroundWork, telemetry } = options;
  const { log } = telemetry;
  const record = delays(telemetry, name);
  const apply = applyEvents(options);
  const { types, batchPer } = toBatchHandler(options.handlers);
  const saving = options.toleratesReplay ? batching.replayablePositions : batching.positions;
  const positions = await openPositions(db, name, backgroundWork, log, saving);
  const deadLetters = await openDeadLetters(db, name, { apply, types }, telemetry);
  const readers = new Map<string, StreamReader>();
  const state = openFollowerState(db, name);
  const checkpoints = startCheckpoints({ follower: name, state, log, readers });
  const applier = startEventApplier({
    ...options,
    follower: name,
    positions,
    deadLetters,
    log,
    apply,
    batchPer,
    onApplied: ({ receivedAtMs }) => record.apply(performance.now() - receivedAtMs),
    streamCreated: (service) => readers.get(service)?.stream() ?? '',
    readEventPages: (of) =>
      readEventPages({ broker, ...of, writtenUpTo: () => readers.get(of.service)?.readUpTo() ?? 0 }),
  });

  const onReceived = ({ publishedAt }: ReadEvent) => record.receive(Date.now() - publishedAt.getTime());
  startReaders(options, types, { readers, applier, checkpoints, onReceived });

  async function onAssigned(partitions: readonly number[], member: string): Promise<void> {
    const assigned = checkpoints.partitions();
    const added = partitions.filter((partition) => !assigned.includes(partition));
    await applier.drop(assigned.filter((partition) => partitions.includes(partition)));
    await checkpoints.save();
    const cursors = added.length > 0 ? await state.readCursors() : {};
    await applier.add(added);
    checkpoints.setOwner(member, partitions);
    for (const [service, reader] of readers) reader.assign(partitions, cursors[service] ?? {});
  }
  const membership = await joinFollower({ follower: name, broker, state, log, onAssigned });

  observe(options, {
    async parley_follower_pending() {
      const unread = await Promise.all(readers.values().map((reader) => reader.backlog()));
      return unread.reduce((sum, count) => sum + count, applier.waiting() + applier.behind());
    },
    parley_follower_behind: async () => applier.behind(),
    parley_follower_partitions: async () => checkpoints.partitions().length,
  });

  return {
    name,
    deadLetters,
    /** The partitions of this replica, if every event of them that was published before has been applied; none otherwise. */
    async caughtUp(): Promise<readonly number[]> {
      const read = await Promise.all(readers.values().map((reader) => reader.caughtUp()));
      // Those that come meanwhile do not matter: under load there are always some.
      if (!(await applier.settled()) || applier.behind() > 0) return [];
      return checkpoints.partitions().filter((partition) => read.every((partitions) => partitions.includes(partition)));
    },
    /** Finishes started events; the rest is left to another replica or the next start. */
    async stop(): Promise<void> {
      applier.stop();
      checkpoints.stop();
      await membership
        .stop()
        .catch((error: unknown) =>
          log.warn({ err: error, follower: name }, 'partitions not released; their lease ends'),
        );
      await Promise.all(readers.values().map((reader) => reader.stop()));
      await positions.stop();
    },
  };
}

/** Starts a reader of each stream that has some of the types. */
function startReaders(
  { broker, telemetry: { log } }: FollowerOptions,
  types: readonly string[],
  parts: {
    readonly readers: Map<string, StreamReader>;
    readonly applier: EventApplier;
    readonly checkpoints: ReturnType<typeof startCheckpoints>;
    readonly onReceived: (event: ReadEvent) => void;
  },
): void {
  const { readers, applier, checkpoints, onReceived } = parts;
  const { waitForCapacity, discard: onRewind } = applier;
  const onEvent = (read: ReadEvent) => {
    onReceived(read);
    checkpoints.saveSoon();
    const done = () => {
      read.done();
      checkpoints.saveSoon();
    };
    applier.accept({ ...read, done });
  };
  for (const [service, own] of Map.groupBy(types, (type) => type.slice(0, type.indexOf('.')))) {
    const nouns = [...new Set(own.map(nounOf))];
    readers.set(service, startStreamReader({ service, nouns, broker, log, waitForCapacity, onEvent, onRewind }));
  }
}

/** Records how long events take from the stream to here, and from here until they are applied. */
function delays({ meter }: Telemetry, follower: string) {
  const receive = meter.createHistogram('parley_follower_receive_delay_seconds', { unit: 's' });
  const apply = meter.createHistogram('parley_follower_apply_delay_seconds', { unit: 's' });
  return {
    receive: (ms: number) => receive.record(Math.max(0, ms) / 1000, { follower }),
    apply: (ms: number) => apply.record(ms / 1000, { follower }),
  };
}

/** Shows figures of a follower. What is pending has to be done before the service counts as idle. */
function observe(
  { name: follower, telemetry: { meter }, backgroundWork }: FollowerOptions,
  gauges: Readonly<Record<string, () => Promise<number>>> & { readonly parley_follower_pending: () => Promise<number> },
): void {
  backgroundWork.addBacklog(gauges.parley_follower_pending);
  for (const [gauge, value] of Object.entries(gauges))
    meter.createObservableGauge(gauge).addCallback(async (result) => result.observe(await value(), { follower }));
}
