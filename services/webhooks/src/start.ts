import { microsecondTicker } from '@parley/clock';
import { checkUrl, createEgress, urlProblems } from '@parley/egress';
import { notFound, Refused } from '@parley/errors';
import { addPersonalDataService, companyErasure, followRetention, openErasedPeople } from '@parley/personal-data';
import { batching } from '@parley/queues';
import { encryptor, signedCursors } from '@parley/secrets';
import { CallContentService } from '@parley/proto/call_control/v1/calls_service_pb';
import { MessageTextService } from '@parley/proto/messaging_inbox/v1/messages_pb';
import { type Lifecycle, openStatefulService } from '@parley/service';
import type { Config } from './config.ts';
import { addDeliveryService } from './delivery-service/delivery-rpcs.ts';
import { openDeliveries, deliveryBodies } from './deliveries/delivery-store.ts';
import { fanOut } from './fan-out/fan-out.ts';
import { migrations } from './migrations.ts';
import type { PayloadSources } from './payloads/payload.ts';
import { payloads } from './payloads/payloads.ts';
import { erasePerson } from './personal-data/erase-person.ts';
import { exportPerson } from './personal-data/export-person.ts';
import { retentionStep } from './personal-data/retention-step.ts';
import { attempts } from './sending/attempt.ts';
import { startEngine } from './sending/engine.ts';
import { openReceivers } from './sending/receivers.ts';
import { endingSubscriptions } from './subscription-service/end-subscription.ts';
import { openSigningSecrets, renewSecrets } from './subscriptions/signing-secrets.ts';
import { isDelivering, suspendSubscription } from './subscriptions/subscription.ts';
import { openSubscriptions } from './subscriptions/subscription-store.ts';
import { addSubscriptionService } from './subscription-service/subscription-rpcs.ts';

export const SERVICE = 'webhooks';

/** Deliveries contain personal data: they are kept only as long as they are needed for troubleshooting. */
const LOG_DAYS = 30;
const DAY_MS = 24 * 3600 * 1000;
/** Every event asks whether it mentions somebody who was erased; an erasure takes this much longer. */
const ERASED_CACHED_MS = 1000;

export async function start(config: Config, lifecycle: Lifecycle): Promise<void> {
  const service = await openStatefulService(
    {
      name: SERVICE,
      publishes: true,
      peers: { callControl: config.CALL_CONTROL_ADDRESS, messagingInbox: config.MESSAGING_INBOX_ADDRESS },
      migrations,
    },
    config,
    lifecycle,
  );
  const { backgroundWork, broker, clock, db, peers, relay, telemetry } = service;
  const subscriptions = await openSubscriptions(db, relay, clock);
  const deliveries = await openDeliveries(db);
  const { log } = telemetry;
  const erased = await openErasedPeople({
    db,
    keys: config.ENCRYPTION_KEY,
    clock,
    backgroundWork,
    log,
    cachedMs: ERASED_CACHED_MS,
  });
  service.stopLater('erased people', erased);
  const encryption = encryptor(config.ENCRYPTION_KEY);
  const secrets = openSigningSecrets(encryption);
  const bodies = deliveryBodies(encryption);
  const policy = { allowedOrigins: config.ALLOWED_ORIGINS, deniedNetworks: config.DENIED_NETWORKS };
  // The receivers limit the requests per origin, because the company of a request is not known here.
  const egress = createEgress({ ...policy, maxSocketsPerOrigin: config.REQUESTS_MAX });
  lifecycle.defer('egress', () => egress.close());

  const attemptMsMax = config.ATTEMPT_SECS_MAX * 1000;
  const receivers = openReceivers({
    requestsMax: config.REQUESTS_MAX,
    requestsPerReceiverMax: config.REQUESTS_PER_RECEIVER_MAX,
    waitMsMax: attemptMsMax / 2,
  });
  const makeAttempt = attempts({ subscriptions, egress, secrets, bodies, clock, telemetry, attemptMsMax });
  const engine = startEngine({
    deliveries,
    subscriptions,
    receivers,
    makeAttempt,
    clock,
    backgroundWork,
    telemetry,
    leaseMs: 2 * attemptMsMax,
  });
  service.stopLater('engine', engine);
  const ending = endingSubscriptions({ subscriptions, deliveries, receivers, broker, backgroundWork, telemetry });
  service.stopLater('ending subscriptions', ending);
  const expiry = deliveries.startExpiry({
    expired: () => ({ createdAt: { $lt: new Date(clock.now().getTime() - LOG_DAYS * DAY_MS) } }),
    everyMs: 3600_000,
    backgroundWork,
    log: telemetry.log,
  });
  service.stopLater('expiry', expiry);
  if ('onMove' in clock) {
    clock.onMove(async ({ back }) => {
      if (back) await subscriptions.pullBack(clock.now());
    });
  }
  void backgroundWork
    .during(() => renewSecrets(subscriptions, secrets, telemetry.log))
    .catch((error: unknown) => telemetry.log.warn({ err: error }, 'secrets not renewed; the next start tries again'));
  // A process may have crashed between the end of a pause and making the held deliveries due.
  for (const id of await deliveries.paused()) {
    const subscription = await subscriptions.current(id);
    if (subscription && isDelivering(subscription)) await engine.resume(id);
  }

  const texts = peers.messagingInbox.client(MessageTextService);
  const calls = peers.callControl.client(CallContentService);
  const sources: PayloadSources = {
    messageText: (companyId, id) =>
      texts.getMessageText({ companyId, id }).then(
        ({ text }) => text,
        (error: unknown) => {
          if (error instanceof Refused && error.refusal.code === notFound.code) return undefined;
          throw error;
        },
      ),
    callContent: async (companyId, callId) => (await calls.getCallContent({ companyId, callId })).call,
    voicemailText: async (companyId, voicemailId) =>
      (await calls.getVoicemailContent({ companyId, voicemailId })).voicemail?.transcription,
  };
  await service.follow({
    name: 'webhooks-fanout',
    batching: batching.deliveredEvents,
    ...fanOut(payloads, { subscriptions, bodies, erased, lanes: engine, sources, clock }),
  });

  await service.follow({
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
  await followRetention(service, [retentionStep({ deliveries, bodies })]);

  await service.serve((server) => {
    addSubscriptionService(server, {
      subscriptions,
      secrets,
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
      erase: erasePerson({ db, erased, deliveries, bodies }),
      exportPerson: exportPerson({ deliveries, bodies }),
      eraseCompany: companyErasure({ db, removal: relay.removal }),
    });
    addDeliveryService(server, {
      deliveries,
      bodies,
      subscriptions,
      engine,
      cursors: signedCursors(config.ENCRYPTION_KEY, 'parley delivery cursors'),
      clock,
    });
  });
}
