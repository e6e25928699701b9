import { setTimeout as sleep } from 'node:timers/promises';
import type { Limit, RollingLimits } from '@parley/mongo';
import { isAllowedDestination } from '@parley/phone-numbers';
import { AssistantTextService } from '@parley/proto/messaging_inbox/v1/assistant_texts_pb';
import { type RpcServer, services } from '@parley/rpc';
import type { SendingNumber } from '../numbers/numbers-client.ts';
import { isOptedOut, type OptOuts } from '../opt-outs/opt-out.ts';
import type { ServiceContext } from '../service-context.ts';
import type { AutomationMessages } from './automation-messages.ts';

interface AssistantTextDeps extends Pick<ServiceContext, 'numbers' | 'directory'> {
  readonly optOuts: OptOuts;
  readonly automation: AutomationMessages;
  readonly limits: RollingLimits;
}

const DAY_MS = 24 * 3600 * 1000;
const PER_SESSION: Limit = { max: 2, windowMs: DAY_MS };
const PER_PERSON: Limit = { max: 5, windowMs: DAY_MS };
const TEXT_LENGTH_MAX = 320;
/** The author of these texts. */
const AUTHOR_NAME = 'Assistant';
/** The caller waits on the phone for what became of the text. */
const OUTCOME_MS_MAX = 3000;
const OUTCOME_POLL_MS = 50;

export function addAssistantTextService(server: RpcServer, deps: AssistantTextDeps): void {
  const { limits, automation } = deps;
  server.add(AssistantTextService, services('assistant'), {
    checkAssistantText: async ({ companyId, businessNumberId, to }) => ({
      possible: (await sendingNumber(deps, companyId, businessNumberId, to)) !== undefined,
    }),
    async sendAssistantText({ companyId, businessNumberId, to, text, sessionId, actionId }) {
      const number = await sendingNumber(deps, companyId, businessNumberId, to);
      if (!number || text.trim() === '' || text.length > TEXT_LENGTH_MAX) return { result: 'not_possible' };
      for (const [key, limit] of [
        [sessionId, PER_SESSION],
        [`${companyId} ${to}`, PER_PERSON],
      ] as const)
        if (!(await limits.take(key, limit, actionId)).taken) return { result: 'not_possible' };
      const reason = `assistant:${actionId}`;
      await automation.sendUnlimited(number, to, text, reason, AUTHOR_NAME);
      return { result: (await hasFailed(deps, number, reason)) ? 'failed' : 'sent' };
    },
  });
}

/** The number, if it may send a text to this one now. */
async function sendingNumber(
  { numbers, directory, optOuts }: AssistantTextDeps,
  companyId: string,
  businessNumberId: string,
  to: string,
): Promise<SendingNumber | undefined> {
  const [number, company, optedOut] = await Promise.all([
    numbers.ofCompany(companyId, businessNumberId),
    directory.company(companyId),
    isOptedOut(optOuts, { companyId, id: businessNumberId }, to),
  ]);
  const isPossible = number?.canSend && company.messagingEnabled && !optedOut && isAllowedDestination(to, company);
  return isPossible ? number : undefined;
}

/** The provider has refused the text; one that it has not answered for yet will be sent. */
async function hasFailed({ automation }: AssistantTextDeps, number: SendingNumber, reason: string): Promise<boolean> {
  const until = performance.now() + OUTCOME_MS_MAX;
  for (;;) {
    const message = await automation.sentFor(number, reason);
    if (message?.status !== 'queued' || performance.now() > until) return message?.status === 'failed';
    await sleep(OUTCOME_POLL_MS);
  }
}
