import { ContactLookupService } from '@parley/proto/directory/v1/contact_lookup_pb';
import {
  fakeContract,
  type FakeDirectory,
  fakeDirectory,
  type FakeNumbersRouting,
  fakeNumbersRouting,
  type FakeSpeech,
  fakeSpeech,
  type ServiceForTest,
  startServiceForTest,
} from '@parley/testkit/service';
import { type FakeCallControl, fakeCallControl } from './fake-call-control.ts';
import { service } from '../src/index.ts';

/** One replica of the service; `replica()` starts another. */
export interface TestAssistant extends ServiceForTest {
  readonly directory: FakeDirectory;
  readonly numbers: FakeNumbersRouting;
  readonly speech: FakeSpeech;
  readonly calls: FakeCallControl;
}

/** No caller is a contact. */
const nobodyKnown = fakeContract(ContactLookupService, { lookUpContact: async () => ({}) });

export async function startAssistant(settings: Record<string, string> = {}): Promise<TestAssistant> {
  const [directory, numbers, speech, calls] = [fakeDirectory(), fakeNumbersRouting(), fakeSpeech(), fakeCallControl()];
  const assistant = await startServiceForTest(service, {
    peers: {
      directory: [...directory.contracts, nobodyKnown],
      'numbers-routing': numbers.contracts,
      speech: speech.contracts,
      'call-control': calls.contracts,
    },
    follows: ['directory'],
    settings,
  });
  return { ...assistant, directory, numbers, speech, calls };
}
