import { AssistantCallService } from '@parley/proto/call_control/v1/assistant_calls_pb';
import { type FakeContract, fakeContract } from '@parley/testkit/service';

/** A call-control that remembers what sessions did to their calls. */
export interface FakeCallControl {
  readonly contracts: readonly FakeContract[];
  /** What was asked, as the name of the method with its most important argument. */
  readonly asked: string[];
  /** The ids of actions, in the order of the requests. */
  readonly actionIds: string[];
  /** What the next transfer is answered with at once; undefined: somebody rings. */
  transferResult: string | undefined;
  callbackResult: string;
}

export function fakeCallControl(): FakeCallControl {
  const calls: FakeCallControl = {
    asked: [],
    actionIds: [],
    transferResult: undefined,
    callbackResult: 'queued',
    contracts: [
      fakeContract(AssistantCallService, {
        async startAssistantTransfer({ actionId, targetName, employeeIds }) {
          calls.asked.push(`transfer ${targetName} ${employeeIds.join(' ')}`.trim());
          calls.actionIds.push(actionId);
          return calls.transferResult === undefined ? {} : { result: calls.transferResult };
        },
        async finishWhisper({ actionId }) {
          calls.asked.push('whispered');
          calls.actionIds.push(actionId);
          return {};
        },
        async runFallback({ reason }) {
          calls.asked.push(`fallback ${reason}`);
          return {};
        },
        async endAssistedCall() {
          calls.asked.push('end');
          return {};
        },
        async requestAssistantCallback({ number }) {
          calls.asked.push(`callback ${number}`.trim());
          return { result: calls.callbackResult };
        },
        async reportSession({ outcomeIfLeft }) {
          calls.asked.push(`report ${outcomeIfLeft}`);
          return {};
        },
      }),
    ],
  };
  return calls;
}
