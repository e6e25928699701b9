import { browserPath } from '../identity/real-browser.ts';
import { assistantChecks } from './assistant-checks.ts';
import { browserChecks } from './browser-checks.ts';
import type { Checks } from './check-fixture.ts';
import { faultChecks } from './fault-checks.ts';
import { hostileChecks } from './hostile-checks.ts';
import { inboundChecks } from './inbound-checks.ts';
import { officeChecks } from './office-checks.ts';
import { outboundChecks } from './outbound-checks.ts';
import { outsideChecks } from './outside-checks.ts';
import { registrationChecks } from './registration-checks.ts';
import { severalSwitchesChecks } from './several-switches-checks.ts';
import { transferChecks } from './transfer-checks.ts';

/** In this order: the first ones register the phones that the others use. */
export const checks: Checks = {
  ...registrationChecks,
  ...inboundChecks,
  ...transferChecks,
  ...officeChecks,
  ...outsideChecks,
  ...outboundChecks,
  ...assistantChecks,
  ...(browserPath !== undefined && process.env['SIP_WEBSOCKET_URL'] ? browserChecks : {}),
  ...(process.env['PARLEY_TEST_OTHER_SWITCH'] ? severalSwitchesChecks : {}),
  // An edge refuses what they send.
  ...(process.env['PARLEY_TEST_EDGE'] === 'on' ? {} : hostileChecks),
  ...faultChecks,
};
