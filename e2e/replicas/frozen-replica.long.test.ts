import { describe, it } from '@jest/globals';
import { openPhoneCompany } from '../calls/phone-company.ts';
import { leaveVoicemailsWhileFrozen, TWO_CALL_CONTROLS } from '../stress/frozen-replicas.ts';
import { useLocalStack } from '../support/use-local-stack.ts';

// 200 callers: `npm run stress -- frozen-replicas`.
const stack = useLocalStack({ environment: TWO_CALL_CONTROLS });

describe('a replica of call-control that stands still for 12 s, and then the other one,', () => {
  it('a replica of call-control that stands still for 12 s, and then the other one, keep no caller from being answered, have one record of each, and lose no voicemail', async () => {
    const fixture = await openPhoneCompany(stack.local);
    await leaveVoicemailsWhileFrozen(stack, fixture, { callers: 30, perSecond: 1.5, frozenMs: 12_000 });
  }, 400_000);
});
