import { expect } from '@jest/globals';
import type { Event } from '@parley/events';
import { BusinessNumberAdminService, BusinessNumberService } from '@parley/proto/numbers_routing/v1/numbers_pb';
import { RoutingService } from '@parley/proto/numbers_routing/v1/routing_pb';
import type { RpcClient } from '@parley/rpc';
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
  readonly numbers: RpcClient<typeof BusinessNumberService>;
  readonly admin: RpcClient<typeof BusinessNumberAdminService>;
  readonly routing: RpcClient<typeof RoutingService>;
}

export async function startNumbersRouting(): Promise<TestNumbersRouting> {
  const [directory, speech] = [fakeDirectory(), fakeSpeech()];
  const numbersRouting = await startServiceForTest(service, {
    peers: { directory: directory.contracts, speech: speech.contracts },
    follows: ['directory'],
  });
  const gateway = numbersRouting.as('gateway');
  return {
    ...numbersRouting,
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
