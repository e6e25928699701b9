import { notFound, Refused, refusal } from '@parley/errors';
import { ProviderCallbackService } from '@parley/proto/messaging_inbox/v1/provider_callbacks_pb';
import { type RpcServer, services } from '@parley/rpc';
import type { Numbers } from '../numbers/numbers-client.ts';
import { applyReport } from './apply-report.ts';
import { keyedSlots } from './keyed-slots.ts';
import type { IncomingReport, IncomingText, SmsProvider } from './provider.ts';
import { type ReceiveDeps, receiveText } from './receive-text.ts';

export interface CallbackDeps extends ReceiveDeps {
  readonly provider: SmsProvider;
  readonly numbers: Numbers;
}

/** Callbacks of one company that are stored at the same time; fewer than there are connections to the database. */
const PER_COMPANY_MAX = 8;
/** The callbacks of one business number that are checked before its company is known. */
const PER_NUMBER_MAX = 8;

const badSignature = refusal('unauthenticated', 'the signature is missing, wrong or too old');
const unreadable = refusal('invalid_request', 'not a callback of the provider');

/** The one RPC of the contract. Works while texting is off for the company, too: nothing is lost. */
export function addProviderCallbackService(server: RpcServer, deps: CallbackDeps): void {
  const { provider, numbers, messages, clock } = deps;
  const inCompanySlot = keyedSlots(PER_COMPANY_MAX);
  const [inTextSlot, inReportSlot] = [keyedSlots(PER_NUMBER_MAX), keyedSlots(PER_NUMBER_MAX)];

  async function receive(text: IncomingText, signal: AbortSignal): Promise<void> {
    const number = await numbers.byNumber(text.to);
    if (!number?.canReceive) {
      // A text that was received before is accepted again.
      if (await messages.wasReceived(text.providerMessageId)) return;
      throw new Refused(notFound);
    }
    await inCompanySlot(number.companyId, signal, () => receiveText(deps, number, text));
  }

  async function report(incoming: IncomingReport, signal: AbortSignal): Promise<void> {
    const number = await numbers.byNumber(incoming.from);
    if (!number?.active) throw new Refused(notFound);
    await inCompanySlot(number.companyId, signal, () => applyReport(messages, number, incoming));
  }

  server.add(ProviderCallbackService, services('gateway'), {
    async receiveCallback({ rawBody, signature, timestamp }, { signal }) {
      const now = clock.now();
      if (!provider.isAuthentic({ rawBody, signature, timestamp }, now)) throw new Refused(badSignature);
      const callback = provider.readCallback(rawBody, now);
      if (!callback) throw new Refused(unreadable);
      if (callback.kind === 'text') await inTextSlot(callback.text.to, signal, () => receive(callback.text, signal));
      else if (callback.kind === 'report')
        await inReportSlot(callback.report.from, signal, () => report(callback.report, signal));
      return {};
    },
  });
}
