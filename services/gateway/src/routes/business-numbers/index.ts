import type { Clients } from '../../peers/peers.ts';
import { closureEndpoints } from './closure-endpoints.ts';
import { createVoicePreview } from './create-voice-preview.ts';
import { explainProposedRoute, explainRoute } from './explain-route.ts';
import { getBusinessNumber } from './get-business-number.ts';
import { getTextingSettings } from './get-texting-settings.ts';
import { listBusinessNumbers } from './list-business-numbers.ts';
import { listHolidays } from './list-holidays.ts';
import { setIncomingCallConfig } from './set-incoming-call-config.ts';
import { setNoAnswerConfig } from './set-no-answer-config.ts';
import { setOutsideBusinessHoursConfig } from './set-outside-business-hours-config.ts';
import { updateBusinessNumber } from './update-business-number.ts';
import { updateTextingSettings } from './update-texting-settings.ts';

export const businessNumberEndpoints = (clients: Clients) => [
  listBusinessNumbers(clients),
  getBusinessNumber(clients),
  updateBusinessNumber(clients),
  setIncomingCallConfig(clients),
  setOutsideBusinessHoursConfig(clients),
  setNoAnswerConfig(clients),
  createVoicePreview(clients),
  getTextingSettings(clients),
  updateTextingSettings(clients),
  explainRoute(clients),
  explainProposedRoute(clients),
  ...closureEndpoints(clients),
  listHolidays(clients),
];
