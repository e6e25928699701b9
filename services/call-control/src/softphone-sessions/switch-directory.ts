import { randomBytes } from 'node:crypto';
import type { Clock } from '@parley/clock';
import type { Encryptor } from '@parley/secrets';
import type { GuessLimit } from './guess-limit.ts';
import { matchesDigest } from './sip-digest.ts';
import { liveSessions, type SoftphoneSession } from './softphone-session.ts';
import { a1Context, type SoftphoneSessions } from './softphone-session-store.ts';
import { NOT_FOUND_RESPONSE, userResponse } from './switch-directory-response.ts';
import { readSwitchDirectoryRequest } from './switch-directory-request.ts';

/**
 * Answers `POST /switch/directory`: the body is mod_xml_curl's form, the answer XML for a response 200 `text/xml`. One read by
 * id. Any mismatch is `not found`, for which the switch sends the phone 403: an unknown user, a wrong password and one that is not
 * looked at because of too many wrong ones cannot be told apart. A result always has the H(A1) of the session whose password the phone used.
 */
export function switchDirectory(options: {
  softphoneSessions: SoftphoneSessions;
  encryptor: Encryptor;
  domain: string;
  clock: Clock;
  guesses: GuessLimit;
  onRefused?: (reason: 'wrong_password' | 'throttled') => void;
}): (form: string) => Promise<string> {
  const { softphoneSessions, encryptor, domain, clock, guesses, onRefused } = options;
  const a1Of = ({ id, a1Encrypted }: Pick<SoftphoneSession, 'id' | 'a1Encrypted'>) =>
    encryptor.decrypt(a1Encrypted, a1Context(id));
  /** Compared where there is no session, so that the answer for an unknown user takes as long. */
  const decoy = { id: 'none', a1Encrypted: encryptor.encrypt(randomBytes(16).toString('hex'), a1Context('none')) };
  return async (form) => {
    const request = readSwitchDirectoryRequest(form, domain);
    if (!request) return NOT_FOUND_RESPONSE;
    if (!guesses.allows(request)) {
      onRefused?.('throttled');
      return NOT_FOUND_RESPONSE;
    }
    // The SIP user is the employee's id; a switch has no companies.
    const known = await softphoneSessions.acrossCompanies.get(request.username);
    const sessions = known ? liveSessions(known, clock.now()) : [];
    const fitting = (sessions.length > 0 ? sessions : [decoy]).find((session) =>
      matchesDigest(a1Of(session), request.digest),
    );
    // Once more: others may have failed at the same time.
    if (!known || !fitting || fitting === decoy || !guesses.allows(request)) {
      guesses.failed(request);
      onRefused?.('wrong_password');
      return NOT_FOUND_RESPONSE;
    }
    guesses.succeeded(request);
    const variables = { employee_id: known.id, company_id: known.companyId, softphone_session_id: fitting.id };
    return userResponse({ username: known.id, domain, a1: a1Of(fitting), variables });
  };
}
