import { numberJson } from './number-json.ts';
import { definePayload } from './payload.ts';

export const numberRegistrationApproved = definePayload({
  fact: 'numbers-routing.registration.approved',
  event: 'number.registration_approved',
  data: ({ number }) => ({ main_number: numberJson(number) }),
});
