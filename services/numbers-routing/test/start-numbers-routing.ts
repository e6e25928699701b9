import { expect } from '@jest/globals';
import type { Event } from '@parley/events';
import { BusinessNumberAdminService, BusinessNumberService } from '@parley/proto/numbers_routing/v1/numbers_pb';
import { RoutingService } from '@parley/proto/numbers_routing/v1/routing_pb';
import type { RpcClient } from '@parley/rpc';
import {
  type FakeAssistants,
  fakeAssistants,
  type FakeDirectory,
  fakeDirectory,
  type FakeSpeech,
  fakeSpeech,
  type ServiceForTest,
  startServiceForTest,
} from '@parley/testkit/service';
import { service } from '../src/index.ts';

export interface TestNumbersRouting extends ServiceForTest {
  readonly assistants: FakeAssistants;
  readonly directory: FakeDirectory;
  readonly speech: FakeSpeech;
  /** Everything the service has published so far, oldest first. */
  readonly events: readonly Event[];
  readonly numbers: RpcClient<typeof BusinessNumberService>;
  readonly admin: RpcClient<typeof BusinessNumberAdminService>;
  readonly routing: RpcClient<typeof RoutingService>;
}

export async function startNumbersRouting(settings: Record<string, string> = {}): Promise<TestNumbersRouting> {
  const [assistants, directory, speech] = [fakeAssistants(), fakeDirectory(), fakeSpeech()];
  const numbersRouting = await startServiceForTest(service, {
    peers: { assistant: assistants.contracts, directory: directory.contracts, speech: speech.contracts },
    follows: ['assistant', 'directory'],
    settings,
  });
  const gateway = numbersRouting.as('gateway');
  return {
    ...numbersRouting,
    assistants,
    directory,
    speech,
    events: await numbersRouting.record('numbers-routing.*.*'),
    numbers: gateway.client(BusinessNumberService),
    admin: gateway.client(BusinessNumberAdminService),
    routing: numbersRouting.as('call-control').client(RoutingService),
  };
}

export const refusedWith = (refusal: object) => expect.objectContaining({ refusal: expect.objectContaining(refusal) });
export const notFound = refusedWith({ code: 'not_found' });
