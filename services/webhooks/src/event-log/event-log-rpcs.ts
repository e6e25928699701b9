import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Clock } from '@parley/clock';
import { invalid, notFound, refusal, Refused } from '@parley/errors';
import { EventLogService, type LoggedEventSchema } from '@parley/proto/webhooks/v1/event_log_pb';
import { employees, type RpcServer } from '@parley/rpc';
import { newId, type SignedTokens } from '@parley/secrets';
import { currentTraceparent } from '@parley/telemetry';
import { deliveryToProto } from '../delivery-service/delivery-rpcs.ts';
import type { Deliveries, DeliveryBodies } from '../deliveries/delivery-store.ts';
import { newExtraDelivery } from '../deliveries/delivery.ts';
import type { Engine } from '../sending/engine.ts';
import type { Subscriptions } from '../subscriptions/subscription-store.ts';
import { isDelivering, matchingEventName, sendEvent } from '../subscriptions/subscription.ts';
import type { CompanyLogs } from './company-logs.ts';
import type { EventLogStore } from './event-log-store.ts';
import { describedTypes, typesNamed } from './event-types.ts';
import { bodyNamed, keptFrom, type LoggedEvent } from './logged-event.ts';
import { endOf, type PageEvent, readPage } from './read-page.ts';
import type { LogKey, Position } from './segment.ts';

export interface EventLogDeps {
  readonly logs: CompanyLogs;
  readonly eventLog: EventLogStore;
  readonly subscriptions: Subscriptions;
  readonly deliveries: Deliveries;
  readonly bodies: DeliveryBodies;
  readonly engine: Pick<Engine, 'pollNow'>;
  readonly cursors: SignedTokens;
  readonly clock: Clock;
}

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 100;
const TYPES_MAX = 30;

/** What a cursor has. */
type CursorContent = readonly [epoch: number, segment: number, index: number, after: string | null];

export function addEventLogService(server: RpcServer, deps: EventLogDeps): void {
  const { logs, eventLog, subscriptions, clock } = deps;

  function cursorAt({ companyId, epoch }: LogKey, { segment, index, after }: Position): string {
    const content: CursorContent = [epoch, segment, index, after ?? null];
    return deps.cursors.seal(content, [companyId]);
  }

  /** The position of a cursor; one of a log that has ended is before everything. */
  function positionOf({ companyId, epoch }: LogKey, cursor: string): Position {
    const content = deps.cursors.open(cursor, [companyId]) as CursorContent | undefined;
    if (!content)
      throw new Refused(refusal('invalid_cursor', 'after is invalid', { fields: { after: ['is invalid'] } }));
    const [of, segment, index, after] = content;
    return of === epoch ? { segment, index, after: after ?? undefined } : BEFORE_ALL;
  }

  async function loggedEvent(companyId: string, id: string): Promise<LoggedEvent & { readonly body: string }> {
    const content = await eventLog.content(companyId, id);
    const body = content && content.recordedAt >= keptFrom(clock.now()) ? eventLog.open(content) : null;
    if (!content || body === null) throw new Refused(notFound);
    return { ...content, body };
  }

  server.add(EventLogService, employees.withRole('admin'), {
    async listEvents({ after, from, types, limit: requested, onlyPosition }, { principal: { companyId } }) {
      const wanted = typesFrom(types);
      if (after !== undefined && from) throw new Refused(invalid({ from: ['must not be given together with after'] }));
      const { recording: log, recordedSince } = await logs.used(companyId);
      const answer = { recordedSince: timestampFromDate(recordedSince) };
      if (onlyPosition) return { ...answer, nextCursor: cursorAt(log, await endOf(eventLog, log)) };
      const kept = keptFrom(clock.now());
      const at = after === undefined ? { from: from ? timestampDate(from) : kept } : positionOf(log, after);
      const limit = Math.min(Math.max(requested || LIMIT_DEFAULT, 1), LIMIT_MAX);
      const page = await readPage(eventLog, log, { at, types: wanted, limit, keptFrom: kept });
      if ('oldest' in page) return { oldestCursor: cursorAt(log, page.oldest) };
      const { events, next, hasMore } = page;
      return {
        ...answer,
        events: events.map((event) => toProto(event, cursorAt(log, event.next))),
        nextCursor: cursorAt(log, next),
        hasMore,
      };
    },

    async getEvent({ id }, { principal: { companyId } }) {
      const event = await loggedEvent(companyId, id);
      const { recording: log } = await logs.used(companyId);
      const next = await eventLog.positionBehind(log, event);
      // Stored, but not yet in its place.
      if (!next) throw new Refused(notFound);
      return { event: toProto(event, cursorAt(log, next)) };
    },

    listEventTypes: async () => ({ eventTypes: describedTypes() }),

    async sendEvent({ eventId, subscriptionId }, { principal: { companyId } }) {
      const event = await loggedEvent(companyId, eventId);
      const subscription = await subscriptions
        .of(companyId)
        .change(subscriptionId, (current) => sendEvent(current, event));
      const id = newId('whd');
      const name = matchingEventName(subscription.events, event.event) ?? event.event;
      const delivery = newExtraDelivery(
        {
          id,
          companyId,
          subscriptionId,
          eventId,
          event: name,
          sealedBody: deps.bodies.seal(bodyNamed(name, event), id),
          createdAt: event.occurredAt,
          traceparent: currentTraceparent() ?? null,
          subject: event.subject,
        },
        { paused: !isDelivering(subscription) },
        clock.now(),
      );
      await deps.deliveries.insert({ delivery, lease: null });
      deps.engine.pollNow();
      return { delivery: deliveryToProto(delivery) };
    },
  });
}

const BEFORE_ALL: Position = { segment: -1, index: 0 };

/** Undefined: all of them. */
function typesFrom(names: readonly string[]): ReadonlySet<string> | undefined {
  if (names.length === 0) return undefined;
  if (names.length > TYPES_MAX) throw new Refused(invalid({ types: [`must have at most ${TYPES_MAX} items`] }));
  const named = names.map(typesNamed);
  const unknown = named.findIndex((types) => types === undefined);
  if (unknown >= 0) throw new Refused(invalid({ types: [`${names[unknown]} is not a known event type`] }));
  return new Set(named.flatMap((types) => types ?? []));
}

function toProto(
  { id, event, body }: Pick<PageEvent, 'id' | 'event' | 'body'>,
  cursor: string,
): MessageInitShape<typeof LoggedEventSchema> {
  return { id, event, body, cursor };
}
