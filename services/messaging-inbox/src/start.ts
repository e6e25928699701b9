import { microsecondTicker } from '@parley/clock';
import { createEgress } from '@parley/egress';
import { addPersonalDataService, companyErasure, followRetention, openErasedPeople } from '@parley/personal-data';
import { searchWordKeys } from '@parley/search-terms';
import { encryptor as createEncryptor, signedCursors } from '@parley/secrets';
import { type Lifecycle, openStatefulService, type ServiceRuntime } from '@parley/service';
import { isUnreachable, openRollingLimits, type RollingLimits, startExpirySweep } from '@parley/mongo';
import { cachedAnswers } from '@parley/events';
import type { Db } from 'mongodb';
import { openCooldowns } from './auto-replies/cooldown-store.ts';
import { autoReplies } from './auto-replies/send-auto-reply.ts';
import { addCommentService } from './comments/comment-rpcs.ts';
import { type Config, egressPolicyFrom } from './config.ts';
import { directoryClient } from './directory/directory-client.ts';
import type { ShownMessage } from './inbox/inbox-proto.ts';
import { openInboxParts } from './start-inbox.ts';
import { addInboxService, phoneOfThread } from './inbox/inbox-rpcs.ts';
import { textPreviews } from './inbox/text-previews.ts';
import { attemptOutcomes } from './messages/attempt-outcomes.ts';
import { automationMessages } from './messages/automation-messages.ts';
import { openMessages } from './messages/message-store.ts';
import { messageViews } from './messages/message-views.ts';
import { addMessageSearchService } from './message-search/message-search-rpcs.ts';
import { openMessageSearch } from './message-search/message-search-store.ts';
import { addMessageServices } from './messages/message-rpcs.ts';
import { sendLimit } from './messages/send-limit.ts';
import { replyCommands, replyTimers } from './auto-replies/reply-commands.ts';
import { submitCommand } from './provider/submit-command.ts';
import { spokenContent } from './followers/spoken-content.ts';
import { addNotificationService } from './notifications/notification-rpcs.ts';
import { startNotifications } from './notifications/start-notifications.ts';
import { openPushKey } from './push-subscriptions/push-key-store.ts';
import { addPushSubscriptionService } from './push-subscriptions/push-subscription-rpcs.ts';
import { openPushSubscriptions } from './push-subscriptions/push-subscription-store.ts';
import { numbersClient } from './numbers/numbers-client.ts';
import { keywordAnswers } from './auto-replies/answer-keyword.ts';
import { openOptOuts } from './opt-outs/opt-out-store.ts';
import { erasePerson } from './personal-data/erase-person.ts';
import { exportPerson } from './personal-data/export-person.ts';
import { retentionSteps } from './personal-data/retention-steps.ts';
import { noProvider } from './provider/no-provider.ts';
import type { SmsProvider } from './provider/provider.ts';
import { addProviderCallbackService } from './provider/provider-callback-rpcs.ts';
import { telnyxProvider } from './provider/telnyx.ts';
import { messageProjection, type RecentTexts } from './projection/message-projection.ts';
import type { OnMessageStored } from './messages/send-message.ts';
import { openOwners } from './rebuild/owners.ts';
import { addInboxAdminService } from './rebuild/rebuild-rpcs.ts';
import { openRebuilds } from './rebuild/rebuild-store.ts';
import { startRebuilds } from './rebuild/start-rebuilds.ts';
import { openSnippets } from './snippets/snippet-store.ts';
import { addTextSnippetService } from './snippets/snippet-rpcs.ts';

export const SERVICE = 'messaging-inbox';

const MINUTE_MS = 60_000;
/** Requests to the provider that one process has open at once. */
const PROVIDER_REQUESTS_MAX = 64;
/** A text that a crashed process was submitting stays queued for this time before its outcome is unknown. */
const SUBMIT_LEASE_MS = 10_000;

/** How old an answer may be whether a person was erased; an erasure waits as long. */
const ERASED_CACHED_MS = 1000;

/** After these, what directory and numbers-routing have answered may be outdated. */
const ANSWER_EVENTS = [
  'directory.company.*',
  'directory.employee.*',
  'numbers-routing.number.*',
  'numbers-routing.registration.*',
];

export async function start(config: Config, lifecycle: Lifecycle): Promise<void> {
  const service = await openStatefulService(
    {
      name: SERVICE,
      publishes: true,
      peers: {
        callControl: config.CALL_CONTROL_ADDRESS,
        directory: config.DIRECTORY_ADDRESS,
        identity: config.IDENTITY_ADDRESS,
        numbersRouting: config.NUMBERS_ROUTING_ADDRESS,
      },
    },
    config,
    lifecycle,
  );
  const { backgroundWork, broker, clock, db, peers, relay, runtime, telemetry } = service;
  const answers = await cachedAnswers(broker, { events: ANSWER_EVENTS, cachedMs: config.PEER_CACHE_MS });
  const directory = directoryClient(peers.directory, answers);
  const numbers = numbersClient(peers.numbersRouting, answers, clock);
  const encryptor = createEncryptor(config.ENCRYPTION_KEY);
  const tick = microsecondTicker(clock);

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
  const messages = await openMessages({ db, relay, clock, encryptor });
  const search = await openMessageSearch({ db, messages, wordKeys: searchWordKeys(config.ENCRYPTION_KEY) });
  const snippets = await openSnippets(db, config.TEXT_SNIPPETS_MAX);
  const optOuts = await openOptOuts(db);
  const cooldowns = await openCooldowns(db);
  const sendLimits = await openTextLimits(runtime, db, 'send_limits');
  const automationLimits = await openTextLimits(runtime, db, 'automation_limits');
  const stopLimits = await openTextLimits(runtime, db, 'stop_limits');

  const companyOf = (companyId: string) => directory.company(companyId);
  const recentTexts: RecentTexts = new Map();
  const inbox = await openInboxParts(service, {
    callControl: peers.callControl,
    encryptor,
    tick,
    erased,
    messageOf: (companyId, id) => messages.of(companyId).get(id),
    recentTexts,
  });
  const projected = messageProjection({
    ...inbox,
    recent: recentTexts,
    messageOf: (companyId, id) => messages.of(companyId).getRecent(id),
    // When directory is unavailable, clients are notified and read the data themselves.
    showsMessages: (companyId) =>
      companyOf(companyId).then(
        ({ messagingEnabled }) => messagingEnabled,
        () => true,
      ),
  });
  const onStored: OnMessageStored = async (message) => {
    try {
      await projected.store(message, true);
    } catch (error) {
      // The command of the message brings it to the inbox a moment later.
      if (!isUnreachable(error)) telemetry.log.warn({ err: error }, 'message not in the inbox yet');
    }
  };

  const egressPolicy = egressPolicyFrom(config);
  const pushEgress = createEgress(egressPolicy);
  lifecycle.defer('egress to push services', () => pushEgress.close());
  const pushSubscriptions = await openPushSubscriptions(db, encryptor);
  const pushKey = await openPushKey(db, encryptor);
  const { settings, threadMails, threadPushes } = await startNotifications(service, {
    ...inbox,
    identity: peers.identity,
    subscriptions: pushSubscriptions,
    egress: pushEgress,
    pushKey,
    publicUrl: config.PUBLIC_URL,
    said: spokenContent(peers.callControl),
    directory,
    numbers,
    erased,
  });
  await followRetention(service, retentionSteps({ ...inbox, messages, search }));

  const provider = openProvider(runtime, config);
  const outcomes = attemptOutcomes(messages);
  const automation = automationMessages({ messages, encryptor, limits: automationLimits, clock, tick });
  const keywords = keywordAnswers({ optOuts, cooldowns, stopLimits, numbers, directory, automation, clock });
  const sendAutoReply = autoReplies({ cooldowns, optOuts, numbers, directory, automation, clock });
  const commands = messages.startCommands(
    {
      submit: submitCommand({ messages, provider, outcomes }),
      show: {
        ...projected.show,
        async execute(command, context) {
          const message = command.stored && (await messages.of(context.companyId).getRecent(context.aggregateId));
          await Promise.all([projected.show.execute(command, context), message && search.add(message)]);
        },
      },
      ...replyCommands({ messages, keywords, sendAutoReply }),
    },
    // Commands that take long get half of them.
    { concurrency: 2 * PROVIDER_REQUESTS_MAX, leaseMs: SUBMIT_LEASE_MS },
  );
  service.stopLater('commands of messages', commands);
  service.stopLater('timers of messages', messages.startTimers(replyTimers));

  const rebuilds = await openRebuilds({ db, relay, clock });
  const owners = openOwners({ ...peers, messages, texts: inbox.texts });
  service.stopLater('rebuilds', startRebuilds(rebuilds, { ...inbox, search, owners, clock }));
  const views = messageViews({ messages, numbers, directory, seenTimes: inbox.seenTimes });
  const received = { messages, erased, keywords, encryptor, onStored, clock, tick };
  await service.serve((server) => {
    addMessageServices(server, {
      ...received,
      views,
      outcomes,
      optOuts,
      numbers,
      directory,
      sendLimit: sendLimit(sendLimits, clock),
    });
    addMessageSearchService(server, {
      search,
      messages,
      views,
      numbers,
      directory,
      cursors: signedCursors(config.ENCRYPTION_KEY, 'message cursors'),
    });
    addTextSnippetService(server, { snippets, directory, clock, tick });
    addProviderCallbackService(server, { ...received, provider, numbers });
    addPersonalDataService(server, {
      erase: erasePerson({
        ...inbox,
        db,
        removal: relay.removal,
        erased,
        threadMails,
        threadPushes,
        messages,
        search,
        optOuts,
        cooldowns,
        stopLimits,
      }),
      exportPerson: exportPerson({ ...inbox, messages, views, optOuts }),
      eraseCompany: companyErasure({ db, removal: relay.removal }),
    });
    addInboxAdminService(server, { rebuilds, companyOf, clock });
    addNotificationService(server, { settings, directory });
    addPushSubscriptionService(server, {
      subscriptions: pushSubscriptions,
      publicKey: pushKey.publicKey,
      egressPolicy,
      clock,
    });
    addCommentService(server, {
      ...inbox,
      directory,
      tick,
      phoneOfThread: (companyId, written) => phoneOfThread({ ...inbox, companyOf }, companyId, written),
    });
    addInboxService(server, {
      ...inbox,
      cursors: signedCursors(config.ENCRYPTION_KEY, 'inbox cursors'),
      companyOf,
      employeeNames: (companyId, ids) => directory.employeeNames(companyId, ids),
      numbersOf: (companyId, ids) => numbers.listOf(companyId, ids),
      previewsOf: textPreviews(messages),
      messagesOf: async (companyId, ids, ofPage) => {
        const found = await messages.byIds(companyId, ids);
        // The items tell whether they were seen.
        const shown = await views.show(companyId, found, true, { numbers: ofPage, seen: new Map() });
        return new Map(shown.map((message) => [message.id ?? '', message as ShownMessage]));
      },
    });
  });
}

function openProvider({ lifecycle, telemetry }: ServiceRuntime, config: Config): SmsProvider {
  const { TELNYX_API_KEY: apiKey, TELNYX_PUBLIC_KEY: publicKeys, SANDBOX_URL: sandboxUrl } = config;
  if (apiKey === undefined || publicKeys === undefined) return noProvider;
  const egress = createEgress({
    allowedOrigins: sandboxUrl ? [sandboxUrl] : [],
    maxSocketsPerOrigin: PROVIDER_REQUESTS_MAX,
  });
  lifecycle.defer('egress', () => egress.close());
  return telnyxProvider({
    egress,
    apiUrl: config.TELNYX_API_URL,
    apiKey,
    publicKeys,
    publicUrl: config.PUBLIC_URL,
    timeoutMs: config.TELNYX_TIMEOUT_MS,
    log: telemetry.log,
  });
}

async function openTextLimits(runtime: ServiceRuntime, db: Db, collection: string): Promise<RollingLimits> {
  const { clock, backgroundWork, lifecycle, telemetry } = runtime;
  const limits = await openRollingLimits({ db, collection, clock });
  const expiry = startExpirySweep({ ...limits, everyMs: 10 * MINUTE_MS, backgroundWork, log: telemetry.log });
  lifecycle.defer(collection, () => expiry.stop());
  return limits;
}
