import { AssistantEngine, AssistantReferenceService } from '@parley/proto/assistant/v1/assistants_pb';
import { Unavailable } from '@parley/rpc';
import { newId } from '@parley/secrets';
import { type FakeContract, fakeContract } from '@parley/stubs';

export interface FakeAssistant {
  readonly id: string;
  readonly companyId: string;
  name: string;
  language: string;
  active: boolean;
  engineInUse: AssistantEngine;
  /** It is being deleted: numbers cannot choose it any more. */
  leaving: boolean;
}

/** Assistants of companies as other services see them, with the data of the test. */
export interface FakeAssistants {
  readonly contracts: readonly FakeContract[];
  /** The record is changed in place. */
  addAssistant(companyId: string, details?: Partial<FakeAssistant>): FakeAssistant;
  /** While true every request fails. */
  broken: boolean;
  /** Called while assistants are being looked up. */
  onLookUp: (() => Promise<void>) | undefined;
}

export function fakeAssistants(): FakeAssistants {
  const assistants: FakeAssistant[] = [];
  const fake: FakeAssistants = {
    contracts: [
      fakeContract(AssistantReferenceService, {
        async lookUpAssistants({ companyId, ids }) {
          await fake.onLookUp?.();
          if (fake.broken) throw new Unavailable('no assistants');
          const own = assistants.filter((one) => one.companyId === companyId);
          const found = ids.flatMap((id) => own.find((one) => one.id === id) ?? []);
          return { assistants: found.map((one) => ({ ...one, beingDeleted: one.leaving })) };
        },
      }),
    ],
    addAssistant(companyId, details = {}) {
      const assistant = {
        id: newId('ast'),
        companyId,
        name: 'Robin',
        language: 'en',
        active: true,
        engineInUse: AssistantEngine.EMBEDDED,
        leaving: false,
        ...details,
      };
      assistants.push(assistant);
      return assistant;
    },
    broken: false,
    onLookUp: undefined,
  };
  return fake;
}
