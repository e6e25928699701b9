import { RegistrationRejectedSchema } from '@parley/proto/numbers_routing/v1/number_events_pb';
import { numberJson } from './number-json.ts';
import { definePayload } from './payload.ts';

export const numberRegistrationRejected = definePayload({
  fact: 'numbers-routing.registration.rejected',
  schema: RegistrationRejectedSchema,
  event: 'number.registration_rejected',
  data: ({ number, reason }) => ({ main_number: numberJson(number), reason }),
});
