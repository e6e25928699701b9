import {
  type FakeDirectory,
  fakeDirectory,
  type FakeNumbersRouting,
  fakeNumbersRouting,
  type ServiceForTest,
  startServiceForTest,
} from '@parley/testkit/service';
import { service } from '../src/index.ts';

/** One replica of the service; `replica()` starts another. */
export interface TestAssistant extends ServiceForTest {
  readonly directory: FakeDirectory;
  readonly numbers: FakeNumbersRouting;
}

export async function startAssistant(settings: Record<string, string> = {}): Promise<TestAssistant> {
  const [directory, numbers] = [fakeDirectory(), fakeNumbersRouting()];
  const assistant = await startServiceForTest(service, {
    peers: { directory: directory.contracts, 'numbers-routing': numbers.contracts },
    follows: ['directory'],
    settings,
  });
  return { ...assistant, directory, numbers };
}
