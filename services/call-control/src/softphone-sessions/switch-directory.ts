import type { Clock } from '@parley/clock';
import type { Encryptor } from '@parley/secrets';
import { matchesDigest } from './sip-digest.ts';
import { liveSessions, type SoftphoneSession } from './softphone-session.ts';
import { a1Context, type SoftphoneSessions } from './softphone-session-store.ts';
import { NOT_FOUND_RESPONSE, userResponse } from './switch-directory-response.ts';
import { readSwitchDirectoryRequest } from './switch-directory-request.ts';

/**
 * Answers `POST /switch/directory`: the body is mod_xml_curl's form, the answer XML for a response 200 `text/xml`. One read by
 * id. Any mismatch is `not found`; a result always has the H(A1) of the session whose password the phone used.
 */
export function switchDirectory(options: {
  softphoneSessions: SoftphoneSessions;
  encryptor: Encryptor;
  domain: string;
  clock: Clock;
}): (form: string) => Promise<string> {
  const { softphoneSessions, encryptor, domain, clock } = options;
  const a1Of = (session: SoftphoneSession) => encryptor.decrypt(session.a1Encrypted, a1Context(session.id));
  return async (form) => {
    const request = readSwitchDirectoryRequest(form, domain);
    // The SIP user is the employee's id; a switch has no companies.
    const known = request && (await softphoneSessions.acrossCompanies.get(request.username));
    if (!request || !known) return NOT_FOUND_RESPONSE;
    for (const session of liveSessions(known, clock.now())) {
      const a1 = a1Of(session);
      if (!matchesDigest(a1, request.digest)) continue;
      const variables = { employee_id: known.id, company_id: known.companyId, softphone_session_id: session.id };
      return userResponse({ username: known.id, domain, a1, variables });
    }
    return NOT_FOUND_RESPONSE;
  };
}
