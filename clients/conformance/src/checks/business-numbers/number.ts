import { flag, integer, listOf, nullable, oneOf, someText, text, timestamp } from '../../expectations/shapes.ts';

const CONFIG = { type: text };

/** All fields of a business number. */
export const NUMBER = {
  id: someText,
  name: text,
  number: text,
  number_formatted: someText,
  timezone: text,
  language: text,
  recording_enabled: flag,
  incoming_call_config: CONFIG,
  outside_business_hours_config: nullable(CONFIG),
  no_answer_config: nullable(CONFIG),
  no_answer_timeout_secs: nullable(integer),
  wait_audio: oneOf('ringtone', 'music'),
  registration_status: oneOf('not_required', 'pending', 'submitted', 'approved', 'rejected', 'failed'),
  registration_due_at: nullable(timestamp),
  business_hours: listOf({ day_of_week: integer, day_name: text, open: flag, opening_at: text, closing_at: text }),
  messaging: { sms: { can_send: flag, can_receive: flag }, mms: { can_send: false, can_receive: false } },
};
