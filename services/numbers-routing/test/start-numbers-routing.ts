import type { Event } from '@parley/events';
import {
  type FakeDirectory,
  fakeDirectory,
  type FakeSpeech,
  fakeSpeech,
  type ServiceForTest,
  startServiceForTest,
} from '@parley/testkit/service';
import { service } from '../src/index.ts';

export interface TestNumbersRouting extends ServiceForTest {
  readonly directory: FakeDirectory;
  readonly speech: FakeSpeech;
  /** Everything the service has published so far, oldest first. */
  readonly events: readonly Event[];
}

export async function startNumbersRouting(): Promise<TestNumbersRouting> {
  const [directory, speech] = [fakeDirectory(), fakeSpeech()];
  const numbersRouting = await startServiceForTest(service, {
    peers: { directory: directory.contracts, speech: speech.contracts },
    follows: ['directory'],
  });
  return { ...numbersRouting, directory, speech, events: numbersRouting.record('numbers-routing.*.*') };
}
