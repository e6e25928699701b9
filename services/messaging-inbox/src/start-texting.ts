import { type Documents, openDocuments } from '@parley/aggregates';
import { openRollingLimits, type RollingLimits, startExpirySweep } from '@parley/mongo';
import type { RpcServer } from '@parley/rpc';
import { signedTokens } from '@parley/secrets';
import { searchWordKeys } from '@parley/text';
import { keywordAnswers } from './auto-replies/answer-keyword.ts';
import type { AutoReplyCooldown } from './auto-replies/auto-reply.ts';
import { replyCommands, replyTimers } from './auto-replies/reply-commands.ts';
import { autoReplies } from './auto-replies/send-auto-reply.ts';
import { addMessageSearchService } from './message-search/message-search-rpcs.ts';
import { type MessageSearch, openMessageSearch } from './message-search/message-search-store.ts';
import type { OptOut, OptOuts } from './opt-outs/opt-out.ts';
import { messageProjection } from './projection/message-projection.ts';
import { addProviderCallbackService } from './provider/provider-callback-rpcs.ts';
import { openProvider, PROVIDER_REQUESTS_MAX } from './provider/open-provider.ts';
import { submitCommand } from './provider/submit-command.ts';
import type { ServiceContext } from './service-context.ts';
import type { InboxParts } from './start-inbox.ts';
import { attemptOutcomes } from './messages/attempt-outcomes.ts';
import { automationMessages } from './messages/automation-messages.ts';
import { addAssistantTextService } from './messages/assistant-text-rpcs.ts';
import { addMessageServices } from './messages/message-rpcs.ts';
import { type Messages, openMessages } from './messages/message-store.ts';
import { type MessageViews, messageViews } from './messages/message-views.ts';

/** Texts: sending, receiving, answering and finding them. */
export interface Texting {
  readonly messages: Messages;
  readonly search: MessageSearch;
  readonly views: MessageViews;
  readonly optOuts: OptOuts;
  readonly cooldowns: Documents<AutoReplyCooldown>;
  readonly stopLimits: RollingLimits;
  addServices(server: RpcServer): void;
}

/** A text that a crashed process was submitting stays queued for this time before its outcome is unknown. */
const SUBMIT_LEASE_MS = 10_000;
const LIMITS_EXPIRE_EVERY_MS = 600_000;

export async function startTexting(context: ServiceContext, inbox: InboxParts): Promise<Texting> {
  const { config, db, directory, numbers } = context;
  const messages = await openMessages(context);
  const search = await openMessageSearch({ db, messages, wordKeys: searchWordKeys(config.ENCRYPTION_KEY) });
  const optOuts = await openDocuments<OptOut>({ db, collection: 'opt_outs' });
  const cooldowns = await openDocuments<AutoReplyCooldown>({ db, collection: 'auto_reply_cooldowns' });
  const sendLimits = await openTextLimits(context, 'send_limits');
  const automationLimits = await openTextLimits(context, 'automation_limits');
  const stopLimits = await openTextLimits(context, 'stop_limits');
  const assistantLimits = await openTextLimits(context, 'assistant_limits');

  const projected = messageProjection({
    ...inbox,
    messages,
    search,
    // When directory is unavailable, clients are notified and read the data themselves.
    showsMessages: (companyId) =>
      directory.company(companyId).then(
        ({ messagingEnabled }) => messagingEnabled,
        () => true,
      ),
  });
  const provider = openProvider(context);
  const outcomes = attemptOutcomes(messages);
  const automation = automationMessages({ ...context, messages, limits: automationLimits });
  const keywords = keywordAnswers({ ...context, optOuts, cooldowns, stopLimits, automation });
  const sendAutoReply = autoReplies({ ...context, cooldowns, optOuts, automation });
  const commands = messages.startCommands(
    {
      submit: submitCommand({ ...context, messages, provider, outcomes }),
      show: projected.show,
      ...replyCommands({ messages, keywords, sendAutoReply }),
    },
    // Commands that take long get half of them.
    { concurrency: 2 * PROVIDER_REQUESTS_MAX, leaseMs: SUBMIT_LEASE_MS },
  );
  context.stopLater('commands of messages', commands);
  context.stopLater('timers of messages', messages.startTimers(replyTimers));

  const views = messageViews({ messages, numbers, directory, seenTimes: inbox.seenTimes });
  const createMessage = projected.create;
  return {
    messages,
    search,
    views,
    optOuts,
    cooldowns,
    stopLimits,
    addServices(server) {
      addMessageServices(server, { ...context, messages, views, outcomes, optOuts, createMessage, sendLimits });
      addAssistantTextService(server, { ...context, optOuts, automation, limits: assistantLimits });
      const cursors = signedTokens(config.ENCRYPTION_KEY, 'message cursors');
      addMessageSearchService(server, { search, messages, views, numbers, directory, cursors });
      addProviderCallbackService(server, { ...context, messages, keywords, createMessage, provider });
    },
  };
}

async function openTextLimits(
  { db, clock, backgroundWork, telemetry, stopLater }: ServiceContext,
  collection: string,
): Promise<RollingLimits> {
  const limits = await openRollingLimits({ db, collection, clock });
  const expiry = { everyMs: LIMITS_EXPIRE_EVERY_MS, backgroundWork, log: telemetry.log };
  stopLater(collection, startExpirySweep({ ...limits, ...expiry }));
  return limits;
}
