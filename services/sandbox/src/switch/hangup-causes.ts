/** Hang-up causes with their Q.850 number and, for a call that was not answered, the SIP status the other side gets. */
const causes: Readonly<Record<string, { q850: number; sip: number }>> = {
  UNALLOCATED_NUMBER: { q850: 1, sip: 404 },
  NO_ROUTE_DESTINATION: { q850: 3, sip: 404 },
  NORMAL_CLEARING: { q850: 16, sip: 480 },
  ORIGINATOR_CANCEL: { q850: 16, sip: 487 },
  LOSE_RACE: { q850: 16, sip: 487 },
  SYSTEM_SHUTDOWN: { q850: 16, sip: 503 },
  USER_BUSY: { q850: 17, sip: 486 },
  NO_USER_RESPONSE: { q850: 18, sip: 480 },
  NO_ANSWER: { q850: 19, sip: 480 },
  SUBSCRIBER_ABSENT: { q850: 20, sip: 480 },
  CALL_REJECTED: { q850: 21, sip: 603 },
  NUMBER_CHANGED: { q850: 22, sip: 410 },
  DESTINATION_OUT_OF_ORDER: { q850: 27, sip: 502 },
  INVALID_NUMBER_FORMAT: { q850: 28, sip: 484 },
  NORMAL_UNSPECIFIED: { q850: 31, sip: 480 },
  NORMAL_CIRCUIT_CONGESTION: { q850: 34, sip: 503 },
  NETWORK_OUT_OF_ORDER: { q850: 38, sip: 502 },
  NORMAL_TEMPORARY_FAILURE: { q850: 41, sip: 503 },
  SWITCH_CONGESTION: { q850: 42, sip: 503 },
  OUTGOING_CALL_BARRED: { q850: 52, sip: 403 },
  REQUESTED_CHAN_UNAVAIL: { q850: 44, sip: 503 },
  BEARERCAPABILITY_NOTAVAIL: { q850: 58, sip: 503 },
  INCOMPATIBLE_DESTINATION: { q850: 88, sip: 488 },
  CHAN_NOT_IMPLEMENTED: { q850: 66, sip: 501 },
  RECOVERY_ON_TIMER_EXPIRE: { q850: 102, sip: 504 },
  INTERWORKING: { q850: 127, sip: 480 },
  ALLOTTED_TIMEOUT: { q850: 602, sip: 487 },
  MEDIA_TIMEOUT: { q850: 604, sip: 480 },
};

const unknown = { q850: 16, sip: 480 };

export const q850Of = (cause: string): number => (causes[cause] ?? unknown).q850;
export const sipStatusOf = (cause: string): number => (causes[cause] ?? unknown).sip;

/** FreeSWITCH treats an unknown cause as a normal end. */
export const knownCause = (cause: string | undefined): string =>
  cause !== undefined && cause in causes ? cause : 'NORMAL_CLEARING';

/** The cause a phone's refusal becomes. */
export function causeOfRefusal(sipStatus: number): string {
  switch (sipStatus) {
    case 486:
      return 'USER_BUSY';
    case 403:
    case 603:
      return 'CALL_REJECTED';
    case 480:
      return 'NO_USER_RESPONSE';
    case 404:
      return 'UNALLOCATED_NUMBER';
    case 488:
      return 'INCOMPATIBLE_DESTINATION';
    default:
      return 'NORMAL_TEMPORARY_FAILURE';
  }
}
