import {
  type FakeDirectory,
  fakeDirectory,
  type FakeNumbersRouting,
  fakeNumbersRouting,
  type FakeSpeech,
  fakeSpeech,
  type ServiceForTest,
  startServiceForTest,
} from '@parley/testkit/service';
import { service } from '../src/index.ts';

/** One replica of the service; `replica()` starts another. */
export interface TestAssistant extends ServiceForTest {
  readonly directory: FakeDirectory;
  readonly numbers: FakeNumbersRouting;
  readonly speech: FakeSpeech;
}

export async function startAssistant(settings: Record<string, string> = {}): Promise<TestAssistant> {
  const [directory, numbers, speech] = [fakeDirectory(), fakeNumbersRouting(), fakeSpeech()];
  const assistant = await startServiceForTest(service, {
    peers: { directory: directory.contracts, 'numbers-routing': numbers.contracts, speech: speech.contracts },
    follows: ['directory'],
    settings,
  });
  return { ...assistant, directory, numbers, speech };
}
