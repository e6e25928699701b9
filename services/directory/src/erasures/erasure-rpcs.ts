import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Clock } from '@parley/clock';
import { notFound, Refused } from '@parley/errors';
import { newId } from '@parley/secrets';
import { type ErasureSchema, ErasureService, ErasureState } from '@parley/proto/directory/v1/erasures_pb';
import { employees, type RpcServer } from '@parley/rpc';
import { createInFreeSlot } from '@parley/aggregates';
import type { Companies } from '../companies/company-store.ts';
import { type Erasure, type ErasurePart, requestErasure, RUNNING_MAX, tooManyErasures } from './erasure.ts';
import type { Erasures } from './erasure-store.ts';

export interface ErasureDeps {
  readonly erasures: Erasures;
  readonly companies: Companies;
  /** The services that store personal data. */
  readonly partNames: readonly string[];
  readonly clock: Clock;
}

export function addErasureService(server: RpcServer, { erasures, companies, partNames, clock }: ErasureDeps): void {
  server.add(ErasureService, employees.withRole('admin'), {
    async requestErasure({ phoneNumber, isOfThread, businessNumbers }, { principal: { companyId } }) {
      const country = await companies.countryOf(companyId);
      const id = newId('era');
      const given = { phoneNumber, isOfThread, businessNumbers, parts: partNames };
      const slots = {
        among: { slot: { $exists: true } },
        field: 'slot',
        max: RUNNING_MAX,
        full: tooManyErasures,
      } as const;
      const erasure = await createInFreeSlot(erasures.of(companyId), slots, (slot) =>
        requestErasure({ id, companyId, slot }, given, country, clock.now()),
      );
      return { erasure: erasureToProto(erasure) };
    },
    async getErasure({ id }, { principal: { companyId } }) {
      const erasure = await erasures.of(companyId).get(id);
      if (!erasure) throw new Refused(notFound);
      return { erasure: erasureToProto(erasure) };
    },
  });
}

export const stateToProto = { running: ErasureState.RUNNING, done: ErasureState.DONE };

export function partsToProto(parts: readonly ErasurePart[]) {
  return parts.map(({ name, state, removed }) => ({ name, state: stateToProto[state], removed }));
}

function erasureToProto(erasure: Erasure): MessageInitShape<typeof ErasureSchema> {
  const { id, phoneNumber, parts, requestedAt, doneAt, logExpiresAt } = erasure;
  return {
    id,
    ...(phoneNumber !== null && { phoneNumber }),
    state: stateToProto[erasure.state],
    parts: partsToProto(parts),
    requestedAt: timestampFromDate(requestedAt),
    ...(doneAt && { doneAt: timestampFromDate(doneAt) }),
    logExpiresAt: timestampFromDate(logExpiresAt),
  };
}
