import { numberJson } from './number-json.ts';
import { definePayload } from './payload.ts';

export const numberRegistrationRejected = definePayload({
  fact: 'numbers-routing.registration.rejected',
  event: 'number.registration_rejected',
  data: ({ number, reason }) => ({ main_number: numberJson(number), reason }),
});
