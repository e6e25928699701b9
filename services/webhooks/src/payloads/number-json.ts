import { type NumberSnapshot, RegistrationStatus } from '@parley/proto/numbers_routing/v1/numbers_pb';

/** The number in registration events. */
export function numberJson(number: NumberSnapshot | undefined): object {
  if (!number) throw new Error('a registration event without its number');
  return {
    id: number.id,
    number: number.number,
    registration_status: RegistrationStatus[number.registrationStatus].toLowerCase(),
  };
}
