import { RegistrationApprovedSchema } from '@parley/proto/numbers_routing/v1/number_events_pb';
import { numberJson } from './number-json.ts';
import { definePayload } from './payload.ts';

export const numberRegistrationApproved = definePayload({
  fact: 'numbers-routing.registration.approved',
  schema: RegistrationApprovedSchema,
  event: 'number.registration_approved',
  data: ({ number }) => ({ main_number: numberJson(number) }),
});
