import {
  type FakeDirectory,
  fakeDirectory,
  type FakeNumbersRouting,
  fakeNumbersRouting,
  type ServiceForTest,
  startServiceForTest,
} from '@parley/testkit/service';
import { service } from '../src/index.ts';

/** One replica of reports; `replica()` starts another. */
export interface TestReports extends ServiceForTest {
  readonly directory: FakeDirectory;
  readonly numbers: FakeNumbersRouting;
}

export async function startReports(settings: Record<string, string> = {}): Promise<TestReports> {
  const [directory, numbers] = [fakeDirectory(), fakeNumbersRouting()];
  const reports = await startServiceForTest(service, {
    peers: { directory: directory.contracts, 'numbers-routing': numbers.contracts },
    follows: ['directory', 'numbers-routing', 'call-control', 'messaging-inbox', 'identity'],
    settings,
  });
  return { ...reports, directory, numbers };
}
