import { type NumberSnapshot, RegistrationStatus } from '@parley/proto/numbers_routing/v1/numbers_pb';
import { definePayload, type Payload } from './payload.ts';

export const numberPayloads: readonly Payload[] = [
  definePayload({
    fact: 'numbers-routing.registration.approved',
    event: 'number.registration_approved',
    data: ({ number }) => ({ main_number: numberJson(number) }),
  }),
  definePayload({
    fact: 'numbers-routing.registration.rejected',
    event: 'number.registration_rejected',
    data: ({ number, reason }) => ({ main_number: numberJson(number), reason }),
  }),
];

function numberJson(number: NumberSnapshot | undefined): object {
  if (!number) throw new Error('a registration event without its number');
  return {
    id: number.id,
    number: number.number,
    registration_status: RegistrationStatus[number.registrationStatus].toLowerCase(),
  };
}
