import { microsecondTicker } from '@parley/clock';
import { checkUrl, createEgress, type Egress, urlProblems } from '@parley/egress';
import { notFound, Refused } from '@parley/errors';
import { addPersonalDataService, companyErasure, followRetention, openErasedPeople } from '@parley/personal-data';
import { batching } from '@parley/queues';
import { encryptor, signedTokens } from '@parley/secrets';
import { SessionContentService } from '@parley/proto/assistant/v1/session_control_pb';
import { CallContentService } from '@parley/proto/call_control/v1/calls_service_pb';
import { MessageTextService } from '@parley/proto/messaging_inbox/v1/messages_pb';
import { type Lifecycle, openStatefulService, type StatefulService } from '@parley/service';
import type { Config } from './config.ts';
import { addDeliveryService } from './delivery-service/delivery-rpcs.ts';
import { bodyContext, openDeliveries, deliveryBodies } from './deliveries/delivery-store.ts';
import { openCompanyLogs } from './event-log/company-logs.ts';
import { addEventLogService } from './event-log/event-log-rpcs.ts';
import { eventBodyContext, openEventLogStore } from './event-log/event-log-store.ts';
import { announceEvents } from './event-log/announce-events.ts';
import { startEventLogMaintenance } from './event-log/maintenance.ts';
import { fanOut } from './fan-out/fan-out.ts';
import { migrations } from './migrations.ts';
import { payloads, type PayloadSources } from './payloads/payloads.ts';
import { erasePerson, exportPerson, retentionSteps } from './personal-data/personal-data.ts';
import { attempts } from './sending/attempt.ts';
import { type Engine, startEngine } from './sending/engine.ts';
import { openReceivers } from './sending/receivers.ts';
import { endingSubscriptions } from './subscription-service/end-subscription.ts';
import { openSigningSecrets, secretContext } from './subscriptions/signing-secrets.ts';
import { suspendSubscription } from './subscriptions/subscription.ts';
import { openSubscriptions, type Subscriptions } from './subscriptions/subscription-store.ts';
import { addSubscriptionService } from './subscription-service/subscription-rpcs.ts';

export const SERVICE = 'webhooks';

/** Deliveries contain personal data: they are kept only as long as they are needed for troubleshooting. */
const LOG_DAYS = 30;
const DAY_MS = 24 * 3600 * 1000;
/** Every event asks whether it mentions somebody who was erased; an erasure takes this much longer. */
const ERASED_CACHED_MS = 1000;

type WebhooksService = StatefulService<'assistant' | 'callControl' | 'messagingInbox', true>;

export async function start(config: Config, lifecycle: Lifecycle): Promise<void> {
  const service = await openStatefulService(
    {
      name: SERVICE,
      publishes: true,
      peers: {
        assistant: config.ASSISTANT_ADDRESS,
        callControl: config.CALL_CONTROL_ADDRESS,
        messagingInbox: config.MESSAGING_INBOX_ADDRESS,
      },
      migrations,
      encrypted: {
        keys: config.ENCRYPTION_KEY,
        contextsOf: ({ _id: id }) =>
          [bodyContext, eventBodyContext, secretContext].map((contextOf) => contextOf(String(id))),
      },
    },
    config,
    lifecycle,
  );
  const { clock } = service;
  const stores = await openStores(service, config);
  const { subscriptions, deliveries } = stores;
  const policy = { allowedOrigins: config.ALLOWED_ORIGINS, deniedNetworks: config.DENIED_NETWORKS };
  // The receivers limit the requests per origin, because the company of a request is not known here.
  const egress = createEgress({ ...policy, maxSocketsPerOrigin: config.REQUESTS_MAX });
  lifecycle.defer('egress', () => egress.close());
  const { engine, receivers } = startSending(service, config, stores, egress);
  const ending = endingSubscriptions({ ...service, subscriptions, deliveries, receivers });
  service.stopLater('ending subscriptions', ending);
  await startMaintenance(service, stores, engine);

  await service.follow({
    name: 'webhooks-fanout',
    batching: batching.deliveredEvents,
    ...fanOut(payloads, { ...stores, lanes: engine, sources: payloadSources(service), clock }),
  });
  await followCompanies(service, subscriptions, engine);
  await followRetention(service, retentionSteps(stores));

  await service.serve((server) => {
    addSubscriptionService(server, {
      ...stores,
      engine,
      endSubscription: ending.end,
      checkUrl: async (text) => {
        const check = await checkUrl(text, policy);
        return { text, problem: check.ok ? null : urlProblems[check.problem] };
      },
      clock,
      tick: microsecondTicker(clock),
      subscriptionsMax: config.WEBHOOKS_MAX,
    });
    addPersonalDataService(server, {
      erase: erasePerson({ ...stores, db: service.db }),
      exportPerson: exportPerson(stores),
      eraseCompany: companyErasure({ db: service.db, removal: service.relay.removal }),
    });
    const cursors = signedTokens(config.ENCRYPTION_KEY, 'parley delivery cursors');
    addDeliveryService(server, { ...stores, engine, cursors, clock });
    const eventCursors = signedTokens(config.ENCRYPTION_KEY, 'parley event cursors');
    addEventLogService(server, { ...stores, engine, cursors: eventCursors, clock });
  });
}

type Stores = Awaited<ReturnType<typeof openStores>>;

async function openStores(service: WebhooksService, config: Config) {
  const { backgroundWork, broker, clock, db, relay, telemetry } = service;
  const subscriptions = await openSubscriptions(db, relay, clock);
  const deliveries = await openDeliveries(db);
  const erased = await openErasedPeople({
    db,
    keys: config.ENCRYPTION_KEY,
    clock,
    backgroundWork,
    log: telemetry.log,
    cachedMs: ERASED_CACHED_MS,
  });
  service.stopLater('erased people', erased);
  const encryption = encryptor(config.ENCRYPTION_KEY);
  const secrets = openSigningSecrets(encryption);
  const eventLog = await openEventLogStore({
    db,
    encryption,
    clock,
    telemetry,
    eventsMax: config.EVENT_LOG_MAX,
    onAppended: announceEvents(broker),
  });
  const logs = await openCompanyLogs(db, clock);
  return { subscriptions, deliveries, erased, secrets, bodies: deliveryBodies(encryption), eventLog, logs };
}

function startSending(service: WebhooksService, config: Config, stores: Stores, egress: Egress) {
  const attemptMsMax = config.ATTEMPT_SECS_MAX * 1000;
  const receivers = openReceivers({
    requestsMax: config.REQUESTS_MAX,
    requestsPerReceiverMax: config.REQUESTS_PER_RECEIVER_MAX,
    waitMsMax: attemptMsMax / 2,
  });
  const makeAttempt = attempts({ ...service, ...stores, egress, attemptMsMax });
  const engine = startEngine({ ...service, ...stores, receivers, makeAttempt, leaseMs: 2 * attemptMsMax });
  service.stopLater('engine', engine);
  return { engine, receivers };
}

async function startMaintenance(service: WebhooksService, stores: Stores, engine: Engine): Promise<void> {
  const { subscriptions, deliveries, logs } = stores;
  const { backgroundWork, clock, telemetry } = service;
  const expiry = deliveries.startExpiry({
    expired: () => ({ createdAt: { $lt: new Date(clock.now().getTime() - LOG_DAYS * DAY_MS) } }),
    everyMs: 3600_000,
    backgroundWork,
    log: telemetry.log,
  });
  service.stopLater('expiry', expiry);
  service.stopLater('event logs', startEventLogMaintenance({ ...service, ...stores }));
  if ('onMove' in clock) {
    clock.onMove(async ({ back }) => {
      if (!back) return;
      await subscriptions.pullBack(clock.now());
      await logs.pullBack(clock.now());
      // Events from now on are for all subscriptions, so the move is not done before every process knows that.
      await subscriptions.seenByAll();
    });
  }
  // A process may have crashed between the end of a pause and making the held deliveries due.
  for (const id of await deliveries.paused()) await engine.resumeIfDelivering(id);
}

function payloadSources({ peers }: WebhooksService): PayloadSources {
  const texts = peers.messagingInbox.client(MessageTextService);
  const calls = peers.callControl.client(CallContentService);
  const sessions = peers.assistant.client(SessionContentService);
  return {
    messageText: (companyId, id) =>
      texts.getMessageText({ companyId, id }).then(
        ({ text }) => text,
        (error: unknown) => {
          if (error instanceof Refused && error.refusal.code === notFound.code) return undefined;
          throw error;
        },
      ),
    callContent: async (companyId, callId) => (await calls.getCallContent({ companyId, callId })).call,
    sessionContent: async (companyId, callId) =>
      (await sessions.listSessionContents({ companyId, callIds: [callId] })).sessions[0],
    voicemailText: async (companyId, voicemailId) =>
      (await calls.getVoicemailContent({ companyId, voicemailId })).voicemail?.transcription,
  };
}

function followCompanies(service: WebhooksService, subscriptions: Subscriptions, engine: Engine) {
  return service.follow({
    name: 'webhooks-companies',
    handlers: {
      async 'directory.company.updated'({ company }) {
        if (!company) return;
        const own = subscriptions.of(company.id);
        for (const { id, suspended } of await own.list()) {
          if (suspended !== company.suspended)
            await own.change(id, (current) => suspendSubscription(current, company.suspended));
          if (!company.suspended) await engine.resume(id);
        }
      },
    },
  });
}
